"""Settling closes the money of a reservation once; what it cannot reach stays owed."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from pms.departures.notices import file_notice
from pms.deposits.deposit_report import balance_on
from pms.deposits.refunds import send_refund
from pms.deposits.settlement_papers import release_refund
from pms.deposits.settlement_records import settlement_of
from pms.deposits.settlements import AskedDeduction, preview_settlement, settle
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.ledger.models import DepositMoveRow
from pms.ledger.payment_plan import record_payment
from pms.rules.audit_events import AuditEvent
from pms.rules.deposit import DepositBalance
from pms.rules.enumerations import (
    DepositMoveKind,
    EntryKind,
    FeeCategory,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
    SettlementState,
)
from tests.departures.desk import STAFF, Desk
from tests.departures.test_file_notice import leaving_in_august

CLEANING = AskedDeduction("清掃", 11_000, FeeCategory.CLEANING)


def left_in_august(desk: Desk) -> str:
    """A resident who gave notice in time for 31 August and paid everything; 30,000 are held."""
    id_ = leaving_in_august(desk)
    desk.on("2025-07-30")
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2025, 8, 31))
    desk.on("2025-09-05")
    return id_


def balance(desk: Desk, id_: str) -> DepositBalance:
    return desk.ask(balance_on, id_, desk.clock.today())


def test_a_settlement_deducts_nets_and_leaves_a_remainder(desk: Desk) -> None:
    id_ = left_in_august(desk)
    settled = desk.do(settle, reservation_id=id_, deductions=[CLEANING])
    row = settled.settlement
    assert (row.held_yen, row.deducted_yen, row.netted_yen) == (30_000, 11_000, 0)
    assert (row.remainder_yen, row.owed_yen) == (19_000, 0)
    assert settled.state == SettlementState.REFUND_PENDING
    (deduction,) = settled.deductions
    assert (deduction.label, deduction.asked_yen, deduction.reached_yen, deduction.charge_id) == (
        "清掃",
        11_000,
        11_000,
        None,
    )
    assert deduction.position == 1
    assert desk.row(id_).lifecycle == Lifecycle.SETTLED
    assert desk.row(id_).payment_status == PaymentStatus.PAID
    assert balance(desk, id_).balance_yen == 0


def test_what_a_deduction_does_not_reach_becomes_a_charge_that_can_be_paid(desk: Desk) -> None:
    id_ = left_in_august(desk)
    repair = AskedDeduction("壁の補修", 45_000, FeeCategory.REPAIR)
    settled = desk.do(settle, reservation_id=id_, deductions=[CLEANING, repair])
    assert settled.state == SettlementState.RESIDENT_OWES
    first, second = settled.deductions
    assert (first.reached_yen, second.reached_yen) == (11_000, 19_000)
    (charge,) = desk.entries(id_, EntryKind.CHARGE)
    assert (charge.id, charge.total_yen) == (second.charge_id, 26_000)
    assert charge.lines[0].category == FeeCategory.REPAIR
    assert settled.settlement.owed_yen == 26_000
    assert balance(desk, id_).balance_yen == -26_000
    desk.pay(id_, 26_000, charge.id)
    assert balance(desk, id_).balance_yen == 0


def test_unpaid_entries_are_netted_oldest_due_first_and_then_count_as_paid(desk: Desk) -> None:
    id_ = leaving_in_august(desk)
    desk.on("2025-08-24")
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2025, 8, 28))
    desk.on("2025-09-05")
    settled = desk.do(settle, reservation_id=id_)
    row = settled.settlement
    assert (row.overpaid_yen, row.netted_yen, row.owed_yen) == (7_838, 37_838, 16_949)
    (penalty,) = desk.entries(id_, EntryKind.PENALTY)
    by_id = {entry.id: entry for entry in desk.standings(id_)}
    assert by_id[penalty.id].unpaid_yen == 16_949
    assert sum(entry.overpaid_yen for entry in by_id.values()) == 0
    assert balance(desk, id_).balance_yen == -16_949


def test_the_preview_is_what_is_written_and_writes_nothing(desk: Desk) -> None:
    id_ = left_in_august(desk)
    asked = {"reservation_id": id_, "deductions": [CLEANING, AskedDeduction("鍵" * 200, 40_000)]}
    before = desk.counts()
    plan = desk.ask(preview_settlement, desk.clock, **asked)
    assert desk.counts() == before
    settled = desk.do(settle, **asked)
    assert [one.reached_yen for one in plan.deductions] == [
        one.reached_yen for one in settled.deductions
    ]
    assert (plan.state, plan.settlement.owed_yen) == (settled.state, settled.settlement.owed_yen)


def test_a_second_settlement_is_refused_and_names_the_first(desk: Desk) -> None:
    id_ = left_in_august(desk)
    desk.do(settle, reservation_id=id_)
    desk.on("2025-09-06")
    for audit_event in (
        lambda: desk.do(settle, reservation_id=id_, deductions=[CLEANING]),
        lambda: desk.ask(preview_settlement, desk.clock, reservation_id=id_),
    ):
        with desk.refuses("settlement", "2025-09-05", "once", as_=Refused):
            audit_event()


def test_nobody_is_settled_before_the_day_they_leave(desk: Desk) -> None:
    id_ = leaving_in_august(desk)
    desk.on("2025-07-30")
    with desk.refuses("living", as_=Refused):
        desk.do(settle, reservation_id=id_)
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2025, 8, 31))
    desk.on("2025-08-30")
    with desk.refuses("2025-08-31", as_=Refused):
        desk.do(settle, reservation_id=id_)
    desk.on("2025-08-31")
    desk.do(settle, reservation_id=id_)


@pytest.mark.parametrize("state", [Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING])
def test_a_reservation_nobody_has_left_is_not_settled(desk: Desk, state: Lifecycle) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31", lifecycle=state)
    with desk.refuses(state, as_=Refused):
        desk.do(settle, reservation_id=id_)


def test_a_guest_is_settled_from_the_day_after_check_out(desk: Desk) -> None:
    id_ = desk.resident("2026-11-10", "2026-11-14", kind=ReservationKind.GUEST)
    desk.on("2026-11-14")
    with desk.refuses("living", as_=Refused):
        desk.do(settle, reservation_id=id_)
    desk.on("2026-11-15")
    assert desk.do(settle, reservation_id=id_).state == SettlementState.ZERO_REFUND


@pytest.mark.parametrize("state", [Lifecycle.CANCELLED, Lifecycle.TRANSFERRED])
def test_a_reservation_without_open_money_stays_as_it_ended(desk: Desk, state: Lifecycle) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31", lifecycle=state)
    with desk.refuses("has nothing to settle", as_=Refused):
        desk.do(settle, reservation_id=id_)


def test_what_a_cancelled_booking_owes_is_settled_without_a_deduction(desk: Desk) -> None:
    id_ = desk.resident("2026-12-01", "2027-11-30")
    desk.invoice(id_)
    with desk.database.writing(desk.workspace_id) as session:
        row = session.merge(desk.row(id_))
        row.lifecycle, row.cancelled_at = Lifecycle.CANCELLED, desk.clock.now()
    settled = desk.do(settle, reservation_id=id_)
    assert settled.state == SettlementState.RESIDENT_OWES


def test_what_a_cancelled_booking_paid_goes_back_through_settlement(desk: Desk) -> None:
    id_ = desk.resident("2026-12-01", "2027-11-30", deposit_yen=93_000)
    desk.invoice(id_)
    desk.pay_all(id_)
    with desk.database.writing(desk.workspace_id) as session:
        row = session.merge(desk.row(id_))
        row.lifecycle, row.cancelled_at = Lifecycle.CANCELLED, desk.clock.now()
    settled = desk.do(settle, reservation_id=id_)
    assert settled.settlement.held_yen == 93_000
    assert desk.row(id_).lifecycle == Lifecycle.SETTLED


@pytest.mark.parametrize(
    ("deductions", "said"),
    [
        ([AskedDeduction("", 100)], "deductions[0].label"),
        ([CLEANING, AskedDeduction("  ", 100)], "deductions[1].label"),
        ([CLEANING, AskedDeduction("鍵\0", 100)], "deductions[1].label"),
        ([AskedDeduction("x" * 201, 100)], "deductions[0].label"),
        ([AskedDeduction("鍵", 0)], "deductions[0].amountYen: '0'"),
        ([CLEANING, AskedDeduction("鍵", -1)], "deductions[1].amountYen: '-1'"),
        ([AskedDeduction("鍵", True)], "amountYen: 'True'"),
        ([AskedDeduction("鍵", 100.0)], "amountYen: '100.0'"),  # type: ignore[arg-type]
        ([AskedDeduction("鍵", "¥100")], "amountYen: '¥100'"),  # type: ignore[arg-type]
        ([AskedDeduction("鍵", 10**12)], "whole yen from 1 to 999999999999"),
    ],
)
def test_a_deduction_without_a_name_or_whole_yen_is_refused_by_its_place(
    desk: Desk, deductions: Sequence[AskedDeduction], said: str
) -> None:
    id_ = desk.resident("2025-06-01", "2026-05-31", lifecycle=Lifecycle.MOVED_OUT)
    with desk.refuses(said, as_=Refused):
        desk.do(settle, reservation_id=id_, deductions=deductions)


def test_an_unknown_reservation_and_a_stale_version_are_named(desk: Desk) -> None:
    id_ = desk.resident("2025-06-01", "2026-05-31", lifecycle=Lifecycle.MOVED_OUT)
    for torn in ("x", "0" * 32):
        for ask in (
            lambda torn=torn: desk.do(settle, reservation_id=torn),
            lambda torn=torn: desk.ask(preview_settlement, desk.clock, reservation_id=torn),
            lambda torn=torn: desk.ask(balance_on, torn, desk.clock.today()),
        ):
            with desk.refuses("no reservation", as_=NotFound):
                ask()
    with desk.refuses("version", as_=Collision):
        desk.do(settle, reservation_id=id_, expected_version=7)


def test_a_late_payment_after_a_settlement_stays_visible_in_the_balance(desk: Desk) -> None:
    id_ = left_in_august(desk)
    desk.do(settle, reservation_id=id_)
    (invoice,) = desk.entries(id_, EntryKind.MOVE_IN)
    facts: dict[str, Any] = {"reservation_id": id_, "entry_id": invoice.id, "amount_yen": 500}
    desk.do(record_payment, **facts)
    assert balance(desk, id_).overpaid_yen == 500
    assert desk.ask(settlement_of, id_) is not None


def test_a_deduction_that_no_money_reaches_is_charged_whole(desk: Desk) -> None:
    id_ = desk.resident("2025-06-01", "2026-05-31", lifecycle=Lifecycle.MOVED_OUT)
    asked = {"reservation_id": id_, "deductions": [CLEANING]}
    (planned,) = desk.ask(preview_settlement, desk.clock, **asked).deductions
    assert (planned.reached_yen, planned.unreached_yen) == (0, 11_000)
    (deduction,) = desk.do(settle, **asked).deductions
    (charge,) = desk.entries(id_, EntryKind.CHARGE)
    assert (deduction.reached_yen, deduction.charge_id) == (0, charge.id)
    assert (charge.total_yen, charge.label) == (11_000, Bilingual("清掃", "清掃"))


def test_more_moved_on_than_was_collected_is_corrected_before_a_settlement(desk: Desk) -> None:
    id_ = desk.resident("2025-06-01", "2026-05-31", lifecycle=Lifecycle.MOVED_OUT)
    moved = {"kind": DepositMoveKind.OUT, "moved_on": date(2026, 6, 1), "amount_yen": 500}
    stamp = {"written_at": desk.clock.now(), "written_by": STAFF}
    desk.add(DepositMoveRow(reservation_id=id_, transfer_id=new_id(), **moved, **stamp))
    with desk.refuses(
        "settlement: 500 yen more than the collected deposit was moved on", as_=Refused
    ):
        desk.do(settle, reservation_id=id_)


def test_a_settlement_is_noted_with_its_figures_and_a_refund_with_its_own(desk: Desk) -> None:
    id_ = left_in_august(desk)
    desk.do(settle, reservation_id=id_, deductions=[CLEANING])
    desk.do(release_refund, reservation_id=id_, reason="電話で合意")
    desk.do(send_refund, reservation_id=id_, amount_yen=9_000, reference="FB-1")
    with desk.database.reading(desk.workspace_id) as session:
        of_it = select(AuditRecord).where(AuditRecord.subject_id == id_)
        events = {one.audit_event: one.after for one in session.scalars(of_it)}
    assert events[AuditEvent.DEPOSIT_SETTLED] == {
        "lifecycle": "settled",
        "held_yen": 30_000,
        "deducted_yen": 11_000,
        "netted_yen": 0,
        "remainder_yen": 19_000,
        "owed_yen": 0,
    }
    assert events[AuditEvent.REFUND_SENT] == {
        "amount_yen": 9_000,
        "sent_on": "2025-09-05",
        "reference": "FB-1",
    }


def test_the_settlement_says_who_and_when(desk: Desk) -> None:
    id_ = left_in_august(desk)
    row = desk.do(settle, reservation_id=id_).settlement
    assert (row.written_by, row.settled_on) == (STAFF, date(2025, 9, 5))
