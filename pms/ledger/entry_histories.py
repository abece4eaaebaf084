"""Entries with their postings and payments, as the rules read them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session, aliased

from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import asked_once
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.rules.enumerations import (
    EntryKind,
)
from pms.rules.ledger_entries import ArrearsOf, EntryHistory, EntryPayment, EntryPosting

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
    .outerjoin(_Opposite, refers_to(_Opposite.opposes_id, LedgerEntry))
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
    """Return the entries of reservations, with three queries; opposite entries become voidings.

    Those that the session has read before are not asked for again.
    """
    ids = tuple(reservation_ids)
    known = asked_once(session, _begin_histories)
    missing = [id_ for id_ in ids if id_ not in known]
    if missing:
        found = _read_histories(session, one_of(LedgerEntry.reservation_id, missing))
        known.update({id_: found.get(id_, ()) for id_ in missing})
    return {id_: known[id_] for id_ in ids if known[id_]}


def _begin_histories(_session: Session) -> dict[str, tuple[EntryHistory, ...]]:
    """Return the histories known at first: none. A session that writes begins each time."""
    return {}


def histories_of_entries(
    session: Session, entry_ids: Iterable[str]
) -> Mapping[str, tuple[EntryHistory, ...]]:
    """Return only the named entries, by reservation, with three queries."""
    return _read_histories(session, one_of(LedgerEntry.id, entry_ids))


def _read_histories(
    session: Session, which: ColumnElement[bool]
) -> Mapping[str, tuple[EntryHistory, ...]]:
    # Sorted here: with ORDER BY, SQLite would read every entry by its day.
    entries = sorted(session.execute(_ENTRIES.where(which)), key=_by_issue)
    ids = [entry.id for entry in entries]
    postings: defaultdict[str, list[EntryPosting]] = defaultdict(list)
    for posting_entry_id, posted_on, payable_yen, deposit_yen in session.execute(
        _POSTINGS.where(one_of(LedgerLine.entry_id, ids))
    ):
        postings[posting_entry_id].append(
            EntryPosting(posted_on, int(payable_yen), int(deposit_yen))
        )
    payments: defaultdict[str, list[EntryPayment]] = defaultdict(list)
    for entry_id, allocated_on, yen in session.execute(
        _PAYMENTS.where(one_of(Allocation.entry_id, ids))
    ):
        payments[entry_id].append(EntryPayment(allocated_on, int(yen)))
    found: defaultdict[str, list[EntryHistory]] = defaultdict(list)
    for (
        reservation_id,
        id_,
        issued_on,
        due_on,
        arrears_of_id,
        cancelled_yen,
        voided_on,
    ) in entries:
        history = EntryHistory(
            id=id_,
            due_on=due_on,
            # An entry is issued by its first posting, even when that bills nothing.
            postings=(EntryPosting(issued_on, 0), *postings.get(id_, ())),
            payments=tuple(payments.get(id_, ())),
            arrears_of=ArrearsOf(arrears_of_id, cancelled_yen) if arrears_of_id else None,
            voided_on=voided_on,
        )
        found[reservation_id].append(history)
    return {id_: tuple(histories) for id_, histories in found.items()}


def _by_issue(entry: Any) -> tuple[date, str]:
    return entry.issued_on, entry.id
