"""The report counts every deposit once, says whom it leaves out, and asks a fixed few questions."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from sqlalchemy import event, insert
from sqlalchemy.engine import Engine

from pms.deposits.deposit_report import (
    DepositReport,
    balance_on,
    deposit_report,
    exclusion_on,
    held_deposits,
)
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.ledger.charges import post_charge
from pms.ledger.debts import Overdue, overdue
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine, Payment
from pms.ledger.posting import void_entry
from pms.rules.days import ONE_DAY, day_start
from pms.rules.deposit import DepositBalance
from pms.rules.enumerations import DepositExclusion, EntryKind, Lifecycle, ReservationKind
from tests.cast import LONG_AGO, external_block, reservation, unit
from tests.departures.desk import STAFF, Desk
from tests.deposits.test_settle import left_in_august
from tests.tiers import examples

pytestmark = pytest.mark.differs("sums and dates in SQL")

TODAY = date(2026, 11, 20)


def test_each_reason_is_counted_and_the_rest_is_reported_with_its_balance(desk: Desk) -> None:
    paid = desk.resident("2026-04-01", "2027-03-31", deposit_yen=93_000)
    desk.on("2026-03-20")
    desk.invoice(paid)
    desk.pay_all(paid)
    desk.on("2026-11-20")
    coming = desk.resident("2026-12-01", "2027-11-30", deposit_yen=50_000)
    desk.invoice(coming)
    ready = desk.resident("2026-12-10", "2027-11-30", deposit_yen=40_000)
    desk.invoice(ready)
    desk.pay_all(ready)
    desk.resident("2026-04-01", None, kind=ReservationKind.OWNER_RESIDENT)
    for _ in range(3):
        desk.resident("2026-11-19", "2026-11-22", kind=ReservationKind.GUEST)
    for _ in range(2):
        desk.add(external_block(unit_id=desk.room(), source="rent_roll"))
    report = desk.ask(deposit_report, TODAY)
    assert report.excluded == {
        DepositExclusion.RENT_ROLL: 2,
        DepositExclusion.OWNER_RESIDENT: 1,
        DepositExclusion.GUEST: 3,
        DepositExclusion.ONBOARDING: 1,
    }
    found = {one.reservation_id: one.balance.held_yen for one in report.deposits}
    assert found == {paid: 93_000, ready: 40_000}
    assert report.total.held_yen == 133_000
    desk.pay_all(coming)
    assert desk.ask(deposit_report, TODAY).total.held_yen == 183_000


def test_what_is_kept_of_a_ledger_is_asked_again_after_each_write(desk: Desk) -> None:
    living = desk.resident("2026-04-01", "2027-03-31", deposit_yen=93_000)
    desk.on("2026-03-20")
    desk.invoice(living)
    owed = desk.ask(overdue, TODAY)
    assert owed.total == 1
    assert desk.ask(held_deposits, TODAY).total.held_yen == 0
    desk.pay_all(living)
    assert desk.ask(overdue, TODAY) == Overdue(0, 0)
    kept = desk.ask(held_deposits, TODAY)
    assert (kept.total.held_yen, len(kept.deposits)) == (93_000, 1)
    assert desk.ask(held_deposits, TODAY) is kept
    key = {"amount_yen": 700, "label": Bilingual("鍵", "Key")}
    desk.do(post_charge, reservation_id=living, **key)
    assert desk.ask(held_deposits, TODAY).total.unpaid_yen == 700


def test_one_reservation_is_told_why_it_is_left_out_and_when_it_is_not(desk: Desk) -> None:
    guest = desk.resident("2026-11-19", "2026-11-22", kind=ReservationKind.GUEST)
    coming = desk.resident("2026-12-01", "2027-11-30", deposit_yen=50_000)
    desk.invoice(coming)
    assert desk.ask(exclusion_on, guest, TODAY) is DepositExclusion.GUEST
    assert desk.ask(exclusion_on, coming, TODAY) is DepositExclusion.ONBOARDING
    desk.pay_all(coming)
    assert desk.ask(exclusion_on, coming, TODAY) is None


def test_who_moves_in_on_the_day_has_moved_in(desk: Desk) -> None:
    ids = []
    for start in ("2026-11-20", "2026-11-21"):
        ids.append(desk.resident(start, "2027-10-31", deposit_yen=50_000))
        desk.invoice(ids[-1])
    assert [desk.ask(exclusion_on, id_, TODAY) for id_ in ids] == [
        None,
        DepositExclusion.ONBOARDING,
    ]


def test_only_the_invoice_in_force_keeps_a_coming_resident_out(desk: Desk) -> None:
    coming = desk.resident("2026-12-01", "2027-11-30", deposit_yen=50_000)
    desk.invoice(coming)
    (voided,) = desk.entries(coming, EntryKind.MOVE_IN)
    desk.do(void_entry, entry_id=voided.id)
    desk.invoice(coming)
    assert desk.ask(exclusion_on, coming, TODAY) is DepositExclusion.ONBOARDING
    assert desk.ask(deposit_report, TODAY).excluded[DepositExclusion.ONBOARDING] == 1
    desk.pay_all(coming)
    key = {"amount_yen": 700, "label": Bilingual("鍵", "Key")}
    desk.do(post_charge, reservation_id=coming, **key)
    assert desk.ask(exclusion_on, coming, TODAY) is None
    (found,) = desk.ask(deposit_report, TODAY).deposits
    assert (found.reservation_id, found.unit_id) == (coming, desk.row(coming).unit_id)
    assert found.lifecycle is Lifecycle.LIVING
    assert (found.balance.held_yen, found.balance.unpaid_yen) == (50_000, 700)


def test_a_record_made_at_midnight_in_japan_is_of_the_day_that_begins(desk: Desk) -> None:
    coming = desk.resident("2026-12-01", "2027-11-30")
    with desk.database.writing(desk.workspace_id) as session:
        session.merge(desk.row(coming)).created_at = day_start(TODAY)
    day_before = desk.ask(deposit_report, TODAY - ONE_DAY)
    assert sum(day_before.excluded.values()) + len(day_before.deposits) == 0
    report = desk.ask(deposit_report, TODAY)
    assert sum(report.excluded.values()) + len(report.deposits) == 1


def test_the_report_of_a_past_day_tells_that_day(desk: Desk) -> None:
    left_in_august(desk)
    day_before = desk.ask(deposit_report, date(2025, 2, 19))
    assert (day_before.deposits, day_before.total.held_yen) == ((), 0)
    assert desk.ask(deposit_report, desk.clock.today()).total.held_yen == 30_000


def test_who_moved_in_with_an_unpaid_invoice_is_reported_and_who_cancelled_it_is_not(
    desk: Desk,
) -> None:
    desk.on("2026-10-20")
    living = desk.resident("2026-11-01", "2027-10-31", deposit_yen=93_000)
    desk.invoice(living)
    gone = desk.resident("2026-11-05", "2027-10-31", deposit_yen=93_000)
    desk.invoice(gone)
    with desk.database.writing(desk.workspace_id) as session:
        row = session.merge(desk.row(gone))
        row.lifecycle, row.cancelled_at = Lifecycle.CANCELLED, desk.clock.now()
    report = desk.ask(deposit_report, TODAY)
    assert [one.reservation_id for one in report.deposits] == [living]
    assert report.total == DepositBalance(0, 93_000, 0)
    assert report.excluded[DepositExclusion.ONBOARDING] == 1


def test_ten_or_thousands_take_as_many_questions(desk: Desk) -> None:
    many_deposits = examples(300, 3_000)
    fill(desk, 10)
    with questions() as few:
        desk.ask(deposit_report, TODAY)
    ids = fill(desk, many_deposits - 10)
    with questions() as many:
        report: DepositReport = desk.ask(deposit_report, TODAY)
    assert len(few) == len(many) <= 11
    assert len(report.deposits) == many_deposits
    assert report.total.held_yen == many_deposits * 50_000
    assert report.total.unpaid_yen == many_deposits * 1_000
    for id_ in ids[:: many_deposits // 6]:
        (line,) = [one for one in report.deposits if one.reservation_id == id_]
        assert line.balance == desk.ask(balance_on, id_, TODAY)


@contextmanager
def questions() -> Iterator[list[str]]:
    asked: list[str] = []

    def note(*given: Any) -> None:
        if str(given[2]).lstrip().upper().startswith("SELECT") and "set_config" not in given[2]:
            asked.append(given[2])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def fill(desk: Desk, count: int) -> list[str]:
    """Residents with a paid deposit and a charge of 1,000 unpaid."""
    ids, room_ids = [new_id() for _ in range(count)], [new_id() for _ in range(count)]
    with desk.database.writing(desk.workspace_id) as session:
        session.add_all(
            unit(id=id_, building_id=desk.building_id, name=id_, slug=id_) for id_ in room_ids
        )
        session.flush()
        session.add_all(
            reservation(id=id_, unit_id=room_id) for id_, room_id in zip(ids, room_ids, strict=True)
        )
        session.flush()
        for model, rows in ledger_of(ids).items():
            session.execute(insert(model), rows)
    return ids


def ledger_of(ids: list[str]) -> dict[Any, list[dict[str, Any]]]:
    rows: dict[Any, list[dict[str, Any]]] = {
        LedgerEntry: [],
        LedgerLine: [],
        Payment: [],
        Allocation: [],
    }
    stamp = {"written_at": LONG_AGO}
    for id_ in ids:
        for kind, item, yen in (
            (EntryKind.MOVE_IN, "deposit", 50_000),
            (EntryKind.CHARGE, "charge", 1_000),
        ):
            entry_id, label = new_id(), {"label_ja": item, "label_en": item}
            days = {"issued_on": date(2026, 4, 1), "due_on": date(2026, 4, 1)}
            rows[LedgerEntry].append(
                {"id": entry_id, "reservation_id": id_, "kind": kind, "period": item}
                | {**label, **days, **stamp, "written_by": STAFF}
            )
            rows[LedgerLine].append(
                {
                    "id": new_id(),
                    "entry_id": entry_id,
                    "item": item,
                    "is_deposit": item == "deposit",
                }
                | {**label, "category": "other", "tax_treatment": "exempt", "amount_yen": yen}
                | {"posted_on": date(2026, 4, 1)}
            )
            if item == "deposit":
                rows[Payment].append(payment := _payment(id_, yen))
                rows[Allocation].append(
                    {"id": new_id(), "entry_id": entry_id, "payment_id": payment["id"]}
                    | {"amount_yen": yen, "allocated_on": date(2026, 4, 2), **stamp}
                )
    return rows


def _payment(reservation_id: str, yen: int) -> dict[str, Any]:
    return {
        "id": new_id(),
        "reservation_id": reservation_id,
        "received_on": date(2026, 4, 2),
        "amount_yen": yen,
        "method": "bank_transfer",
        "written_at": LONG_AGO,
        "written_by": STAFF,
    }
