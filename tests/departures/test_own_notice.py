"""A resident files, changes and takes back their own notice, for the figures they were shown."""

from datetime import date

import pytest
from sqlalchemy import select

from pms.catalogue.models import Building, Unit
from pms.departures.departures import filings_of, notice_in_force
from pms.departures.notice_plans import preview_notice
from pms.departures.notices import file_notice, shown_figures
from pms.departures.own_notices import (
    OwnNotice,
    file_own_notice,
    mail_notice,
    own_notice_of,
    own_preview,
    withdraw_own_notice,
)
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.outbox import OutboxMail
from pms.rules.enumerations import Lifecycle, ReservationKind
from tests.departures.desk import Desk
from tests.departures.test_file_notice import leaving_in_august

TODAY, LEAVES_ON = date(2025, 8, 24), date(2025, 8, 28)
RESIDENT, OWNER, GUEST = (
    ReservationKind.RESIDENT,
    ReservationKind.OWNER_RESIDENT,
    ReservationKind.GUEST,
)


@pytest.fixture
def emma(desk: Desk) -> str:
    """A resident of half a year who reads English and paid everything through August."""
    id_ = leaving_in_august(desk)
    with desk.database.writing(desk.workspace_id) as session:
        row = session.merge(desk.row(id_))
        row.name, row.email, row.locale = "Emma Wilson", "emma@example.jp", "en"
    desk.on("2025-08-24")
    return id_


def figures(desk: Desk, id_: str, move_out_on: date = LEAVES_ON) -> str:
    asked = {"reservation_id": id_, "move_out_on": move_out_on}
    return shown_figures(desk.ask(own_preview, desk.clock, **asked))


def mails(desk: Desk) -> list[OutboxMail]:
    return desk.ask(
        lambda session: list(session.scalars(select(OutboxMail).order_by(OutboxMail.id)))
    )


def unit_name(desk: Desk, id_: str) -> str:
    named = select(Unit.name).where(Unit.id == desk.row(id_).unit_id)
    with desk.database.reading(desk.workspace_id) as session:
        return session.scalars(named).one()


@pytest.mark.parametrize(
    ("kind", "state", "start", "offered"),
    [
        (RESIDENT, Lifecycle.LIVING, "2025-08-01", OwnNotice.FILEABLE),
        (RESIDENT, Lifecycle.CONFIRMED, "2025-08-24", OwnNotice.FILEABLE),
        (RESIDENT, Lifecycle.CONFIRMED, "2025-08-25", OwnNotice.NOT_MOVED_IN),
        (RESIDENT, Lifecycle.BOOKED, "2025-08-25", OwnNotice.NOT_MOVED_IN),
        (RESIDENT, Lifecycle.NOTICE_FILED, "2025-08-01", OwnNotice.FILED),
        (RESIDENT, Lifecycle.MOVED_OUT, "2025-08-01", OwnNotice.ENDED),
        (RESIDENT, Lifecycle.CANCELLED, "2025-08-25", OwnNotice.ENDED),
        (OWNER, Lifecycle.LIVING, "2025-08-01", OwnNotice.OWNER),
        (OWNER, Lifecycle.MOVED_OUT, "2025-08-01", OwnNotice.ENDED),
        (GUEST, Lifecycle.LIVING, "2025-08-01", OwnNotice.GUEST),
        (GUEST, Lifecycle.BOOKED, "2025-08-25", OwnNotice.GUEST),
    ],
)
def test_a_resident_is_offered_what_their_tenancy_allows(
    desk: Desk, kind: ReservationKind, state: Lifecycle, start: str, offered: OwnNotice
) -> None:
    desk.on("2025-08-24")
    id_ = desk.resident(start, "2026-08-31", kind=kind, lifecycle=state)
    assert desk.ask(own_notice_of, id_, TODAY) is offered
    asked = {"reservation_id": id_, "move_out_on": date(2026, 8, 31)}
    if offered is OwnNotice.FILEABLE:
        assert desk.ask(own_preview, desk.clock, **asked).penalty.yen == 0
    elif offered is not OwnNotice.FILED:
        with desk.refuses("Please contact the office", as_=Refused):
            desk.do(file_own_notice, **asked, seen=None)


def test_a_day_that_is_over_is_filed_by_the_office(desk: Desk, emma: str) -> None:
    with desk.refuses("2025-08-23 is in the past. Choose 2025-08-24 or later", as_=Refused):
        figures(desk, emma, date(2025, 8, 23))
    assert figures(desk, emma, TODAY).startswith("2025-08-24 2025-08-24 ")
    with desk.refuses("no reservation", as_=NotFound):
        figures(desk, "0" * 32)


def test_the_figures_name_the_days_the_yen_and_the_version_of_the_notice(
    desk: Desk, emma: str
) -> None:
    assert figures(desk, emma) == "2025-08-24 2025-08-28 54787 73162 30000 0 16949 -"
    desk.do(file_notice, reservation_id=emma, move_out_on=date(2025, 8, 29))
    assert figures(desk, emma) == "2025-08-24 2025-08-28 54787 73162 30000 0 16949 1"


def test_a_notice_is_filed_for_the_figures_that_were_seen_and_once(desk: Desk, emma: str) -> None:
    asked = {"reservation_id": emma, "move_out_on": LEAVES_ON, "key": "one tap"}
    seen = figures(desk, emma)
    for other in (None, "", seen + "0"):
        with desk.refuses("the amounts have changed since you saw them", as_=Collision):
            desk.do(file_own_notice, **asked, seen=other)
    assert desk.do(file_own_notice, **asked, seen=seen)
    assert desk.row(emma).move_out_date == LEAVES_ON
    before = desk.counts()
    assert not desk.do(file_own_notice, **asked, seen=seen)
    assert desk.counts() == before


def test_the_mail_says_what_was_agreed_to(desk: Desk, emma: str) -> None:
    desk.do(file_own_notice, reservation_id=emma, move_out_on=LEAVES_ON, seen=figures(desk, emma))
    (mail,) = mails(desk)
    assert mail.recipient == "emma@example.jp"
    assert mail.subject == "隅田シェアハウス: your notice for 28 August 2025"
    for said in (
        "Dear Emma Wilson",
        f"Kawasemi House {unit_name(desk, emma)}\n",
        "Notice given on:         24 August 2025",
        "Move-out date:           28 August 2025",
        "Last rent:               ¥73,162",
        "Early-departure charge:  ¥54,787",
        "Expected deposit refund: ¥0",
        "Expected amount to pay:  ¥16,949",
    ):
        assert said in mail.text, mail.text
    assert "capped" not in mail.text


def test_another_day_changes_the_notice_and_the_mail_says_so(desk: Desk, emma: str) -> None:
    desk.do(file_own_notice, reservation_id=emma, move_out_on=LEAVES_ON, seen=figures(desk, emma))
    later = date(2025, 9, 22)
    seen = figures(desk, emma, later)
    assert desk.do(file_own_notice, reservation_id=emma, move_out_on=later, seen=seen)
    notice = desk.ask(notice_in_force, emma)
    assert notice is not None
    assert [filing.move_out_on for filing in desk.ask(filings_of, notice.id)] == [LEAVES_ON, later]
    mail = mails(desk)[-1]
    assert mail.subject == "隅田シェアハウス: your move-out date was changed to 22 September 2025"
    assert "Early-departure charge:  none" in mail.text
    assert "Expected deposit refund: ¥30,000" in mail.text


def test_a_house_without_an_english_name_is_named_in_japanese_and_a_capped_penalty_is_explained(
    desk: Desk,
) -> None:
    id_ = desk.resident("2025-06-01", "2027-05-31", name="Emma Wilson", locale="en")
    with desk.database.writing(desk.workspace_id) as session:
        session.merge(desk.row(id_)).email = "emma@example.jp"
        session.scalars(select(Building)).one().name_en = None
    desk.on("2025-08-01")
    seen = figures(desk, id_, date(2025, 10, 31))
    desk.do(file_own_notice, reservation_id=id_, move_out_on=date(2025, 10, 31), seen=seen)
    text = mails(desk)[-1].text
    assert f"シェアハウス カワセミ荘 {unit_name(desk, id_)}\n" in text
    assert "Last rent:               ¥93,000" in text
    assert "Early-departure charge:  ¥93,000" in text
    assert "the contract runs until 31 May 2027" in text


def test_where_nothing_is_billed_the_mail_says_so(desk: Desk) -> None:
    id_ = desk.resident("2025-05-01", None, (), kind=OWNER, locale="en")
    asked = {"reservation_id": id_, "move_out_on": date(2026, 12, 31)}
    found = desk.ask(preview_notice, desk.clock, **asked)
    with desk.database.writing(desk.workspace_id) as session:
        row = session.merge(desk.row(id_))
        row.email = "owner@example.jp"
        mail_notice(session, desk.clock, row, found)
    assert "Last rent:               ¥0\n" in mails(desk)[-1].text


def test_who_left_no_address_gets_no_mail(desk: Desk) -> None:
    id_ = desk.resident("2025-06-01", "2026-05-31", email=None)
    desk.on("2026-06-11")
    seen = figures(desk, id_, date(2026, 6, 20))
    assert desk.do(file_own_notice, reservation_id=id_, move_out_on=date(2026, 6, 20), seen=seen)
    assert mails(desk) == []


def test_a_resident_takes_back_the_notice_they_saw_and_is_told_so(desk: Desk, emma: str) -> None:
    desk.do(file_own_notice, reservation_id=emma, move_out_on=LEAVES_ON, seen=figures(desk, emma))
    with desk.refuses("version 2", as_=Collision):
        desk.do(withdraw_own_notice, reservation_id=emma, version=2)
    desk.do(withdraw_own_notice, reservation_id=emma, version=1)
    assert desk.row(emma).lifecycle == Lifecycle.LIVING
    mail = mails(desk)[-1]
    assert (mail.recipient, mail.subject) == (
        "emma@example.jp",
        "隅田シェアハウス: your move-out notice was withdrawn",
    )
    assert "Withdrawn date:      28 August 2025" in mail.text
    with desk.refuses("there is no notice to withdraw", as_=Refused):
        desk.do(withdraw_own_notice, reservation_id=emma, version=2)


def test_who_gives_no_notice_takes_none_back(desk: Desk) -> None:
    id_ = desk.resident("2025-06-01", "2026-05-31", kind=OWNER)
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 11, 20))
    with desk.database.writing(desk.workspace_id) as session:
        session.merge(desk.row(id_)).lifecycle = Lifecycle.MOVED_OUT
    with desk.refuses("Please contact the office", as_=Refused):
        desk.do(withdraw_own_notice, reservation_id=id_, version=1)
