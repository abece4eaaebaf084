"""Editing and withdrawing a notice: the penalty and the rent follow, and no edit is lost."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from pms.departures.departures import filings_of, notice_in_force
from pms.departures.models import MoveOutNotice
from pms.departures.notice_plans import preview_notice
from pms.departures.notices import (
    file_notice,
    recompute_notice,
    reschedule_move_out,
    withdraw_notice,
)
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Collision, NotFound, Refused
from pms.ledger.charges import post_arrears_charge
from pms.ledger.posting import void_entry
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EntryKind, Lifecycle
from tests.departures.desk import STAFF, Desk
from tests.departures.test_file_notice import leaving_in_august


def at_short_notice(desk: Desk) -> tuple[str, Any]:
    """A month-to-month resident who gave 10 of 30 days: 20 are missing."""
    id_ = desk.resident("2025-06-01", "2026-05-31")
    desk.on("2026-06-11")
    return id_, desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 6, 20))


def test_a_later_day_keeps_the_filing_day_and_lowers_the_penalty_on_its_entry(desk: Desk) -> None:
    id_, found = at_short_notice(desk)
    assert found.notice.penalty_yen == 10 * 3_100 + 10 * 3_000
    desk.pay(id_, 61_000)
    desk.on("2026-06-12")
    edited = desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 6, 30))
    assert edited.notice.filed_on == date(2026, 6, 11)
    assert edited.notice.notice_missing_days == 10
    (entry,) = desk.entries(id_, EntryKind.PENALTY)
    assert entry.total_yen == edited.notice.penalty_yen == 30_000
    (standing,) = desk.standings(id_)
    assert (standing.unpaid_yen, standing.overpaid_yen) == (0, 31_000)
    assert [filing.number for filing in desk.ask(filings_of, edited.notice.id)] == [1, 2]


def test_an_earlier_day_is_a_new_filing_and_raises_the_penalty_on_its_entry(desk: Desk) -> None:
    id_, found = at_short_notice(desk)
    desk.on("2026-06-13")
    edited = desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 6, 19))
    assert edited.notice.filed_on == date(2026, 6, 13)
    assert edited.notice.notice_missing_days == 23
    (entry,) = desk.entries(id_, EntryKind.PENALTY)
    assert entry.id == found.notice.penalty_entry_id
    assert entry.total_yen == 11 * 3_100 + 12 * 3_000
    assert entry.due_on == date(2026, 6, 11)


def test_a_penalty_that_goes_and_comes_back_stays_one_entry(desk: Desk) -> None:
    id_, _ = at_short_notice(desk)
    for day, yen in ((date(2026, 7, 31), 0), (date(2026, 6, 30), 60_000 + 30_000)):
        edited = desk.do(reschedule_move_out, reservation_id=id_, move_out_on=day)
        (entry,) = desk.entries(id_, EntryKind.PENALTY)
        assert entry.total_yen == edited.notice.penalty_yen
        assert (entry.total_yen == 0) == (yen == 0)


def test_rows_follow_each_edit_and_a_stub_is_never_a_whole_month_again(desk: Desk) -> None:
    id_ = leaving_in_august(desk)
    desk.on("2025-08-24")
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2025, 8, 28))
    edited = desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2025, 9, 30))
    (august,) = edited.repriced
    assert (august.after.last_on, august.change_yen) == (date(2025, 8, 31), 7_838)
    assert not edited.repriced[1:]


def test_the_preview_of_an_edit_is_what_the_edit_writes(desk: Desk) -> None:
    id_ = leaving_in_august(desk)
    desk.on("2025-08-24")
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2025, 8, 28))
    asked = {"reservation_id": id_, "move_out_on": date(2025, 8, 26)}
    foretold = desk.ask(preview_notice, desk.clock, **asked)
    edited = desk.do(reschedule_move_out, **asked)
    assert (foretold.penalty, foretold.repriced) == (edited.penalty, edited.repriced)
    assert (foretold.replaces, foretold.notice_version) == (date(2025, 8, 28), 1)
    again = desk.ask(preview_notice, desk.clock, reservation_id=id_, move_out_on=date(2025, 8, 27))
    assert again.deposit.held_yen == 30_000


def test_an_edit_of_a_notice_that_changed_meanwhile_names_who_changed_what_and_when(
    desk: Desk,
) -> None:
    id_, found = at_short_notice(desk)
    seen = found.notice.version
    desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 7, 5), version=seen)
    said = (STAFF, "2026-07-05", "2026-06-11 at 12:00", "version 1", "now 2")
    with desk.refuses(*said, as_=Collision):
        desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 7, 9), version=seen)
    with desk.refuses(*said, as_=Collision):
        desk.do(withdraw_notice, reservation_id=id_, version=seen)


def test_edits_out_of_order_or_of_nothing_are_refused(desk: Desk) -> None:
    id_, _ = at_short_notice(desk)
    with desk.refuses("already", "2026-06-20", as_=Refused):
        desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 6, 20))
    with desk.refuses("2025-05-31", "2025-06-01", as_=Refused):
        desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2025, 5, 31))
    early = desk.on("2026-06-10").now()
    desk.on("2026-06-15")
    with desk.refuses("filedAt", "2026-06-11", as_=Refused):
        asked = {"reservation_id": id_, "move_out_on": date(2026, 6, 19), "filed_at": early}
        desk.do(reschedule_move_out, **asked)
    other = desk.resident("2026-04-01", "2027-03-31")
    for audit_event, more in (
        (reschedule_move_out, {"move_out_on": date(2026, 7, 1)}),
        (withdraw_notice, {}),
    ):
        with desk.refuses("no notice", as_=Refused):
            desk.do(audit_event, reservation_id=other, **more)
    with desk.refuses("no reservation", as_=NotFound):
        desk.do(withdraw_notice, reservation_id="0" * 32)


def test_who_has_moved_out_is_corrected_to_days_past_only_and_not_after_settling(
    desk: Desk,
) -> None:
    id_, _ = at_short_notice(desk)
    desk.on("2026-06-25")
    change_lifecycle(desk, id_, Lifecycle.MOVED_OUT)
    with desk.refuses("moveOutDate", "2026-06-25", as_=Refused):
        desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 6, 30))
    desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 6, 22))
    desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 6, 25))
    with desk.refuses("lifecycle", as_=Refused):
        desk.do(withdraw_notice, reservation_id=id_)
    change_lifecycle(desk, id_, Lifecycle.SETTLED)
    with desk.refuses("settled", as_=Refused):
        desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 6, 23))


def change_lifecycle(desk: Desk, id_: str, state: Lifecycle) -> None:
    with desk.database.writing(desk.workspace_id) as session:
        session.merge(desk.row(id_)).lifecycle = state


def test_a_withdrawal_voids_the_penalty_opens_the_tenancy_and_restores_the_rent(
    desk: Desk,
) -> None:
    id_ = leaving_in_august(desk)
    desk.on("2025-08-24")
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2025, 8, 28))
    desk.pay(id_, 50_000)
    desk.on("2025-08-25")
    desk.do(withdraw_notice, reservation_id=id_)
    row = desk.row(id_)
    assert (row.lifecycle, row.move_out_date) == (Lifecycle.LIVING, None)
    (penalty,) = desk.entries(id_, EntryKind.PENALTY)
    assert penalty.voided_on == date(2025, 8, 25)
    assert sum(entry.unpaid_yen for entry in desk.standings(id_)) == 0
    assert sum(entry.overpaid_yen for entry in desk.standings(id_)) == 50_000
    with desk.database.reading(desk.workspace_id) as session:
        withdrawn = session.scalars(select(MoveOutNotice)).one()
    assert (withdrawn.withdrawn_by, withdrawn.version) == (STAFF, 2)
    assert desk.ask(notice_in_force, id_) is None


def test_a_notice_after_a_withdrawal_has_a_penalty_of_its_own(desk: Desk) -> None:
    id_, _ = at_short_notice(desk)
    desk.do(withdraw_notice, reservation_id=id_)
    with desk.refuses("no notice to withdraw", as_=Refused):
        desk.do(withdraw_notice, reservation_id=id_)
    again = desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 6, 21))
    voided, billed = sorted(desk.entries(id_, EntryKind.PENALTY), key=lambda one: one.id)
    assert voided.voided_on is not None
    assert billed.id == again.notice.penalty_entry_id
    assert billed.total_yen == again.notice.penalty_yen


def test_a_withdrawal_voids_the_arrears_of_the_penalty_too(desk: Desk) -> None:
    id_, found = at_short_notice(desk)
    collected = {"entry_id": found.notice.penalty_entry_id, "amount_yen": 20_000}
    desk.do(post_arrears_charge, **collected)
    desk.do(withdraw_notice, reservation_id=id_)
    assert sum(entry.unpaid_yen for entry in desk.standings(id_)) == 0
    assert sum(entry.overpaid_yen for entry in desk.standings(id_)) == 0


def test_arrears_that_were_voided_already_hinder_no_withdrawal(desk: Desk) -> None:
    id_, found = at_short_notice(desk)
    collected = {"entry_id": found.notice.penalty_entry_id, "amount_yen": 20_000}
    desk.do(void_entry, entry_id=desk.do(post_arrears_charge, **collected))
    desk.do(post_arrears_charge, **collected)
    desk.do(withdraw_notice, reservation_id=id_)
    assert sum(entry.unpaid_yen for entry in desk.standings(id_)) == 0
    assert [entry.voided_on for entry in desk.entries(id_, EntryKind.ARREARS)] == [
        desk.clock.today(),
        desk.clock.today(),
    ]


def test_the_preview_of_an_edit_nets_the_penalty_as_it_will_be_and_only_once(desk: Desk) -> None:
    desk.on("2025-05-20")
    id_ = desk.resident("2025-06-01", "2026-05-31", deposit_yen=70_000)
    desk.invoice(id_)
    desk.pay_all(id_)
    desk.on("2026-06-11")
    asked = {"reservation_id": id_, "move_out_on": date(2026, 6, 20)}
    first = desk.ask(preview_notice, desk.clock, **asked).deposit
    assert (first.held_yen, first.overpaid_yen, first.netted_yen) == (70_000, 0, 61_000)
    assert (first.remainder_yen, first.owed_yen) == (9_000, 0)
    assert desk.ask(preview_notice, desk.clock, **asked).free_from_on == date(2026, 6, 20)
    desk.policy(turnover_days=3)
    assert desk.ask(preview_notice, desk.clock, **asked).free_from_on == date(2026, 6, 23)
    without = desk.resident("2025-06-01", "2026-05-31")
    found = desk.ask(preview_notice, desk.clock, **{**asked, "reservation_id": without}).deposit
    assert (found.held_yen, found.netted_yen, found.owed_yen) == (0, 0, 61_000)
    desk.do(file_notice, **asked)
    for day, yen in ((date(2026, 6, 30), 30_000), (date(2026, 7, 31), 0)):
        found = desk.ask(preview_notice, desk.clock, reservation_id=id_, move_out_on=day).deposit
        assert (found.netted_yen, found.remainder_yen, found.owed_yen) == (yen, 70_000 - yen, 0)


def noted(desk: Desk, id_: str) -> dict[str, tuple[Any, Any]]:
    """What was before and after the newest audit event of each name."""
    with desk.database.reading(desk.workspace_id) as session:
        of_it = select(AuditRecord).where(AuditRecord.subject_id == id_).order_by(AuditRecord.id)
        return {one.audit_event: (one.before, one.after) for one in session.scalars(of_it)}


def test_what_issued_rent_became_is_noted_too(desk: Desk) -> None:
    id_ = leaving_in_august(desk)
    desk.on("2025-08-24")
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2025, 8, 28))
    assert noted(desk, id_)[AuditEvent.NOTICE_FILED][1]["repriced_yen"] == -7_838
    desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2025, 9, 30))
    assert noted(desk, id_)[AuditEvent.NOTICE_RESCHEDULED][1]["repriced_yen"] == 7_838


def test_every_audit_event_is_noted_with_what_it_changed(desk: Desk) -> None:
    id_, _ = at_short_notice(desk)
    desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 6, 30))
    desk.do(withdraw_notice, reservation_id=id_)
    found = noted(desk, id_)
    assert found[AuditEvent.NOTICE_FILED] == (
        {
            "lifecycle": "living",
            "move_out_date": None,
            "filed_on": None,
            "notice_missing_days": None,
            "penalty_yen": None,
            "penalty_days": None,
        },
        {
            "lifecycle": "notice_filed",
            "move_out_date": "2026-06-20",
            "filed_on": "2026-06-11",
            "notice_missing_days": 20,
            "penalty_yen": 61_000,
            "penalty_days": 20,
        },
    )
    assert found[AuditEvent.NOTICE_RESCHEDULED] == (
        {
            "move_out_date": "2026-06-20",
            "notice_missing_days": 20,
            "penalty_yen": 61_000,
            "penalty_days": 20,
        },
        {
            "move_out_date": "2026-06-30",
            "notice_missing_days": 10,
            "penalty_yen": 30_000,
            "penalty_days": 10,
        },
    )
    assert found[AuditEvent.NOTICE_WITHDRAWN] == (
        {"lifecycle": "notice_filed", "move_out_date": "2026-06-30"},
        {"lifecycle": "living", "move_out_date": None, "voided_penalty_yen": 30_000},
    )


def test_a_withdrawal_or_a_later_day_never_takes_a_room_that_was_booked(desk: Desk) -> None:
    id_ = desk.resident("2025-06-01", "2026-12-31")
    desk.on("2026-06-11")
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 6, 20))
    unit_id = desk.row(id_).unit_id
    desk.resident("2026-06-20", "2027-06-19", unit_id=unit_id, lifecycle=Lifecycle.CONFIRMED)
    for audit_event, more in (
        (withdraw_notice, {}),
        (reschedule_move_out, {"move_out_on": date(2026, 6, 21)}),
    ):
        with desk.refuses("2026-06-20", as_=Refused):
            desk.do(audit_event, reservation_id=id_, **more)
    desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 6, 19))


def test_an_override_of_the_contract_end_makes_the_penalty_anew(desk: Desk) -> None:
    id_ = desk.resident("2026-01-10", "2026-09-30")
    desk.on("2026-06-01")
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 9, 20))
    with desk.database.writing(desk.workspace_id) as session:
        session.merge(desk.row(id_)).override_contract_end_date = date(2026, 9, 25)
    found = desk.do(recompute_notice, reservation_id=id_)
    assert found is not None
    assert (found.notice.penalty_yen, found.notice.penalty_days) == (15_500, 5)
    (entry,) = desk.entries(id_, EntryKind.PENALTY)
    assert entry.total_yen == 15_500
    assert noted(desk, id_)[AuditEvent.NOTICE_RECOMPUTED] == (
        {"penalty_yen": 31_000, "penalty_days": 10},
        {"penalty_yen": 15_500, "penalty_days": 5},
    )
    other = desk.resident("2026-01-10", "2026-09-30")
    assert desk.do(recompute_notice, reservation_id=other) is None


@pytest.mark.parametrize("start", ["2026-09-21"])
def test_an_override_that_starts_after_the_move_out_is_refused(desk: Desk, start: str) -> None:
    id_ = desk.resident("2026-01-10", "2026-12-30")
    desk.on("2026-06-01")
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 9, 20))
    with desk.database.writing(desk.workspace_id) as session:
        session.merge(desk.row(id_)).override_move_in_date = date.fromisoformat(start)
    with desk.refuses("moveOutDate", start, as_=Refused):
        desk.do(recompute_notice, reservation_id=id_)
