"""Entries as histories of days: what the rules of balances read, for many reservations at once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
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
        _Opposite.issued_on.label("voided_on"),
    )
    .outerjoin(
        _Opposite,
        (_Opposite.workspace_id == LedgerEntry.workspace_id)
        & (_Opposite.opposes_id == LedgerEntry.id),
    )
    .where(LedgerEntry.kind != EntryKind.OPPOSITE)
)
_POSTINGS = (
    select(
        LedgerLine.entry_id,
        LedgerLine.posted_on,
        func.sum(case((LedgerLine.is_deposit, 0), else_=LedgerLine.amount_yen)),
        func.sum(case((LedgerLine.is_deposit, LedgerLine.amount_yen), else_=0)),
    )
    .group_by(LedgerLine.entry_id, LedgerLine.posted_on)
    .order_by(LedgerLine.posted_on)
)
_PAYMENTS = (
    select(Allocation.entry_id, Allocation.allocated_on, func.sum(Allocation.amount_yen))
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
    # Put in order here: asked for in an order, SQLite would read every entry by its day.
    entries = sorted(session.execute(_ENTRIES.where(which)), key=_by_issue)
    ids = [entry.id for entry in entries]
    postings, payments = _postings(session, ids), _payments(session, ids)
    found: defaultdict[str, list[EntryHistory]] = defaultdict(list)
    for reservation_id, *entry in entries:
        found[reservation_id].append(_history(entry, postings, payments))
    return {id_: tuple(histories) for id_, histories in found.items()}


def _by_issue(entry: Any) -> tuple[date, str]:
    return entry.issued_on, entry.id


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


def _postings(session: Session, entry_ids: Iterable[str]) -> Mapping[str, list[Posting]]:
    postings: defaultdict[str, list[Posting]] = defaultdict(list)
    for entry_id, posted_on, payable_yen, deposit_yen in session.execute(
        _POSTINGS.where(one_of(LedgerLine.entry_id, entry_ids))
    ):
        postings[entry_id].append(Posting(posted_on, int(payable_yen), int(deposit_yen)))
    return postings


def _payments(session: Session, entry_ids: Iterable[str]) -> Mapping[str, list[Payment]]:
    payments: defaultdict[str, list[Payment]] = defaultdict(list)
    for entry_id, allocated_on, yen in session.execute(
        _PAYMENTS.where(one_of(Allocation.entry_id, entry_ids))
    ):
        payments[entry_id].append(Payment(allocated_on, int(yen)))
    return payments
