"""The opening entries of a tenancy taken over: posted once, with their payments and later use."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, aliased

from pms.foundation.clock import Clock
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate_both
from pms.foundation.work import Work
from pms.ledger.models import Allocation, LedgerEntry, Payment
from pms.ledger.planned_entries import (
    ITEM_WORDS,
    ItemWords,
    PlannedEntry,
    PlannedLine,
    opening_label,
    rent_label,
)
from pms.ledger.posting import Row, ids_in_order, move_payments, post_entries, write_rows
from pms.ledger.queries import standings
from pms.rules.days import month_last
from pms.rules.enumerations import EntryKind, FeeCategory, LineItem, RecurringItem, TaxTreatment
from pms.rules.roll_debts import debt_word
from pms.rules.taking_over import (
    OPENING_CREDIT,
    OPENING_DEPOSIT,
    TakenOver,
    opening_name,
    paid_by_opening_credit,
)

METHOD: Final = "opening"
_ITEM: Final = "opening"

_Collected = aliased(LedgerEntry)


def post_openings(work: Work, taken: Mapping[str, TakenOver]) -> list[str]:
    """Post the debts, held deposits and overpayments of tenancies taken over.

    Each debt keeps its own due day. Deposits and overpayments were received elsewhere: their
    payments have the kind `opening`. The returned ids of the entries are in the order of the
    reservations.
    """
    planned = [
        entry
        for id_, terms in taken.items()
        for entry in (*_plan_debts(id_, terms), *_plan_held_deposit(id_, terms))
    ]
    ids = post_entries(work, planned)
    paid = [
        (id_, entry.reservation_id, yen)
        for id_, entry in zip(ids, planned, strict=True)
        if (yen := _paid_yen(entry, taken[entry.reservation_id]))
    ]
    _insert_payments(work, paid)
    return ids


def use_opening_credits(
    session: Session, clock: Clock, issued: Mapping[str, Sequence[str]]
) -> None:
    """Use overpayments that came with a takeover for the rows just issued, oldest due first.

    `issued` are the entries of a billing run by reservation.
    """
    with_credit = session.execute(
        select(LedgerEntry.reservation_id, LedgerEntry.id).where(
            LedgerEntry.kind == EntryKind.OPENING,
            LedgerEntry.period == _period_of_name(OPENING_CREDIT),
            one_of(LedgerEntry.reservation_id, list(issued)),
        )
    ).all()
    found = (
        standings(session, [id_ for id_, _ in with_credit], clock.today()) if with_credit else {}
    )
    for reservation_id, credit_id in with_credit:
        by_id = {entry.id: entry for entry in found.get(reservation_id, ())}
        rows = [by_id[id_] for id_ in issued[reservation_id] if id_ in by_id]
        parts = paid_by_opening_credit(by_id.get(credit_id), rows)
        if parts:
            move_payments(session, clock, credit_id, parts)


def is_income() -> ColumnElement[bool]:
    """Return the condition that an entry can be income of a month.

    Opening entries, and charges that collect one, are not.
    """
    collects_opening = (
        select(_Collected.id)
        .where(
            refers_to(LedgerEntry.arrears_of_id, _Collected),
            _Collected.kind == EntryKind.OPENING,
        )
        .correlate(LedgerEntry)
        .exists()
    )
    return (LedgerEntry.kind != EntryKind.OPENING) & ~(
        LedgerEntry.arrears_of_id.is_not(None) & collects_opening
    )


def _plan_debts(reservation_id: str, taken: TakenOver) -> Iterable[PlannedEntry]:
    for number, debt in enumerate(taken.unpaid, start=1):
        if debt.month_on is not None:
            label = rent_label(debt.month_on, month_last(debt.month_on))
        else:
            label = Bilingual(debt_word(debt.what), debt.what[:1].upper() + debt.what[1:])
        is_rent = debt.month_on is not None
        words = ItemWords(
            label.ja or "",
            label.en or "",
            FeeCategory.RENT if is_rent else FeeCategory.OTHER,
            # It was classed where it was issued.
            TaxTreatment.OUT_OF_SCOPE,
        )
        item = RecurringItem.BASE_RENT.value if is_rent else _ITEM
        line = PlannedLine(item, words, None, None, debt.yen)
        yield _plan_entry(
            reservation_id, opening_name(number), opening_label(label), debt.due_on, [line]
        )


def _plan_held_deposit(reservation_id: str, taken: TakenOver) -> Iterable[PlannedEntry]:
    if taken.deposit_held_yen:
        words = ITEM_WORDS[LineItem.DEPOSIT].with_class(TaxTreatment.OUT_OF_SCOPE)
        line = PlannedLine(LineItem.DEPOSIT.value, words, None, None, taken.deposit_held_yen)
        label = opening_label(Bilingual(words.label_ja, words.label_en))
        yield _plan_entry(reservation_id, OPENING_DEPOSIT, label, taken.on, [line])
    if taken.overpaid_yen:
        label = opening_label(translate_both("Overpayment"))
        yield _plan_entry(reservation_id, OPENING_CREDIT, label, taken.on, [])


def _plan_entry(
    reservation_id: str, name: str, label: Bilingual, due_on: date, lines: list[PlannedLine]
) -> PlannedEntry:
    return PlannedEntry(
        reservation_id,
        EntryKind.OPENING,
        _period_of_name(name),
        label,
        due_on,
        tuple(lines),
        (),
    )


def _period_of_name(name: str) -> str:
    """Return the period that makes an opening entry unique: a number, `deposit` or `credit`."""
    return name.removeprefix(f"{EntryKind.OPENING} ")


def _paid_yen(entry: PlannedEntry, taken: TakenOver) -> int:
    """Return what was received elsewhere: all of the deposit and of the overpayment."""
    if entry.period == _period_of_name(OPENING_DEPOSIT):
        return taken.deposit_held_yen
    return taken.overpaid_yen if entry.period == _period_of_name(OPENING_CREDIT) else 0


def _insert_payments(work: Work, paid: Sequence[tuple[str, str, int]]) -> None:
    """Insert the payments, each with its one allocation; `paid` are entry, reservation and yen."""
    payments: list[Row] = []
    allocations: list[Row] = []
    for payment_id, (entry_id, reservation_id, yen) in zip(
        ids_in_order(len(paid)), paid, strict=True
    ):
        payments.append(
            {
                "id": payment_id,
                "reservation_id": reservation_id,
                "received_on": work.clock.today(),
                "amount_yen": yen,
                "method": METHOD,
                "reference": None,
                "note": None,
                "written_at": work.clock.now(),
                "written_by": work.actor,
            }
        )
        allocations.append(
            {
                "entry_id": entry_id,
                "payment_id": payment_id,
                "settlement_id": None,
                "transfer_id": None,
                "amount_yen": yen,
                "allocated_on": work.clock.today(),
                "written_at": work.clock.now(),
            }
        )
    write_rows(work.session, Payment, payments)
    write_rows(work.session, Allocation, allocations)
