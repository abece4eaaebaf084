"""Puts entries, how they stand and their papers side by side, as lists of bills show them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.ledger.entry_states import EntryState, entry_state
from pms.ledger.queries import EntryRecord
from pms.ledger.statement import Statement
from pms.rules.enumerations import EntryKind
from pms.rules.ledger_entries import Standing
from pms.statements.queries import ChangedInvoice, changed_invoices, invoices_of


class Paper(NamedTuple):
    """A numbered paper of a bill or a payment."""

    id: str
    number: str
    is_sent: bool = False
    changed: ChangedInvoice | None = None


class Bill(NamedTuple):
    """One entry as a list shows it."""

    entry: EntryRecord
    standing: Standing
    state: EntryState
    days: tuple[date, date] | None
    invoice: Paper | None


def bills_of(session: Session, found: Statement) -> Sequence[Bill]:
    """Return the bills of a statement, the latest first; what voids another is told by that one."""
    standings = {standing.id: standing for standing in found.standings}
    invoices = _invoices(session, found.reservation_id)
    bills = [
        Bill(
            entry,
            standings[entry.id],
            entry_state(standings[entry.id], found.on),
            billed_days(entry),
            invoices.get(entry.id),
        )
        for entry in found.entries
        if entry.kind is not EntryKind.OPPOSITE
    ]
    return bills[::-1]


def billed_days(entry: EntryRecord) -> tuple[date, date] | None:
    """Return the first and the last day that the lines of an entry bill, if they bill days."""
    days = list(_days_in_force(entry))
    return (min(first for first, _ in days), max(last for _, last in days)) if days else None


def _days_in_force(entry: EntryRecord) -> Iterator[tuple[date, date]]:
    sums: dict[tuple[str, date, date], int] = {}
    for line in entry.lines:
        if line.first_on is not None and line.last_on is not None:
            key = (line.item, line.first_on, line.last_on)
            sums[key] = sums.get(key, 0) + line.amount_yen
    # A line and its reversal leave no days.
    return ((first, last) for (_, first, last), yen in sums.items() if yen)


def _invoices(session: Session, reservation_id: str) -> Mapping[str, Paper]:
    changed = changed_invoices(session, reservation_id)
    return {
        one.entry_id: Paper(one.id, one.number, one.sent_at is not None, changed.get(one.id))
        for one in invoices_of(session, reservation_id)
    }
