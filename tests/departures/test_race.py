"""Notices filed and edited at the same moment: one wins, the others are told."""

from datetime import date, timedelta

import pytest

from pms.departures.departures import filings_of, notice_in_force
from pms.departures.notices import file_notice, reschedule_move_out
from pms.foundation.errors import Collision, Refused
from pms.rules.enumerations import EntryKind
from tests.departures.desk import Desk
from tests.departures.racing import race

pytestmark = pytest.mark.differs("locks")

RUNNERS = 16
FIRST = date(2026, 6, 20)


def test_of_many_notices_filed_at_once_one_is_written(desk: Desk) -> None:
    id_ = desk.resident("2025-06-01", "2026-05-31")
    desk.on("2026-06-11")

    def file(number: int) -> str:
        day = FIRST + timedelta(days=number)
        return desk.do(file_notice, reservation_id=id_, move_out_on=day).notice.id

    won, refused = race(RUNNERS, file)
    assert len(won) == 1
    assert {type(refusal) for refusal in refused} == {Refused}
    notice = desk.ask(notice_in_force, id_)
    assert notice is not None
    assert won == [notice.id]
    assert len(desk.entries(id_, EntryKind.PENALTY)) == 1


def test_of_many_edits_of_the_version_they_saw_one_is_written_and_none_is_lost(desk: Desk) -> None:
    id_ = desk.resident("2025-06-01", "2026-05-31")
    desk.on("2026-06-11")
    notice = desk.do(file_notice, reservation_id=id_, move_out_on=FIRST).notice

    def edit(number: int) -> date:
        day = FIRST + timedelta(days=number + 1)
        asked = {"reservation_id": id_, "move_out_on": day, "version": notice.version}
        return desk.do(reschedule_move_out, **asked).notice.move_out_on

    won, refused = race(RUNNERS, edit)
    assert len(won) == 1
    assert {type(refusal) for refusal in refused} == {Collision}
    assert [filing.move_out_on for filing in desk.ask(filings_of, notice.id)] == [FIRST, *won]
    assert desk.row(id_).move_out_date == won[0]
