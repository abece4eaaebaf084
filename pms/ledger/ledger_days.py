"""Entries as histories of days: what the rules of balances read, for many reservations at once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session, aliased

from pms.foundation.prepared import one_of
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.rules.enumerations import EntryKind
from pms.rules.ledger_entries import ArrearsOf, Payment, Posting
from pms.rules.ledger_entries import LedgerEntry as EntryHistory

_Opposite = aliased(LedgerEntry)
_ENTRIES = (
    select(
        LedgerEntry.reservation_id,
        LedgerEntry.id,
        LedgerEntry.issued_on,
        LedgerEntry.due_on,
        LedgerEntry.arrears_of_id,
        LedgerEntry.cancelled_yen,
        _Opposite.issued_on,
    )
    .outerjoin(
        _Opposite,
        (_Opposite.workspace_id == LedgerEntry.workspace_id)
        & (_Opposite.opposes_id == LedgerEntry.id),
    )
    .where(LedgerEntry.kind != EntryKind.OPPOSITE)
    .order_by(LedgerEntry.issued_on, LedgerEntry.id)
)
_POSTINGS = (
    select(
        LedgerLine.entry_id,
        LedgerLine.posted_on,
        func.sum(case((LedgerLine.is_deposit, 0), else_=LedgerLine.amount_yen)),
        func.sum(case((LedgerLine.is_deposit, LedgerLine.amount_yen), else_=0)),
    )
    .join(
        LedgerEntry,
        (LedgerEntry.workspace_id == LedgerLine.workspace_id)
        & (LedgerEntry.id == LedgerLine.entry_id),
    )
    .group_by(LedgerLine.entry_id, LedgerLine.posted_on)
    .order_by(LedgerLine.posted_on)
)
_PAYMENTS = (
    select(Allocation.entry_id, Allocation.allocated_on, func.sum(Allocation.amount_yen))
    .join(
        LedgerEntry,
        (LedgerEntry.workspace_id == Allocation.workspace_id)
        & (LedgerEntry.id == Allocation.entry_id),
    )
    .group_by(Allocation.entry_id, Allocation.allocated_on)
    .order_by(Allocation.allocated_on)
)


def entry_histories(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, tuple[EntryHistory, ...]]:
    """Return the entries of reservations in three questions, opposite entries told as voidings."""
    return _histories(session, one_of(LedgerEntry.reservation_id, reservation_ids))


def histories_of_entries(
    session: Session, entry_ids: Iterable[str]
) -> Mapping[str, tuple[EntryHistory, ...]]:
    """Return only the named entries, by reservation, in three questions."""
    return _histories(session, one_of(LedgerEntry.id, entry_ids))


def _histories(
    session: Session, which: ColumnElement[bool]
) -> Mapping[str, tuple[EntryHistory, ...]]:
    postings, payments = _postings(session, which), _payments(session, which)
    found: defaultdict[str, list[EntryHistory]] = defaultdict(list)
    for reservation_id, *entry in session.execute(_ENTRIES.where(which)):
        found[reservation_id].append(_history(entry, postings, payments))
    return {id_: tuple(entries) for id_, entries in found.items()}


def _history(
    entry: list[Any],
    postings: Mapping[str, list[Posting]],
    payments: Mapping[str, list[Payment]],
) -> EntryHistory:
    id_, issued_on, due_on, arrears_of_id, cancelled_yen, voided_on = entry
    return EntryHistory(
        id=id_,
        due_on=due_on,
        # Issued by its first posting, also where it bills nothing.
        postings=(Posting(issued_on, 0), *postings.get(id_, ())),
        payments=tuple(payments.get(id_, ())),
        arrears_of=ArrearsOf(arrears_of_id, cancelled_yen) if arrears_of_id else None,
        voided_on=voided_on,
    )


def _postings(session: Session, which: ColumnElement[bool]) -> Mapping[str, list[Posting]]:
    postings: defaultdict[str, list[Posting]] = defaultdict(list)
    for entry_id, posted_on, payable_yen, deposit_yen in session.execute(_POSTINGS.where(which)):
        postings[entry_id].append(Posting(posted_on, int(payable_yen), int(deposit_yen)))
    return postings


def _payments(session: Session, which: ColumnElement[bool]) -> Mapping[str, list[Payment]]:
    payments: defaultdict[str, list[Payment]] = defaultdict(list)
    for entry_id, allocated_on, yen in session.execute(_PAYMENTS.where(which)):
        payments[entry_id].append(Payment(allocated_on, int(yen)))
    return payments
