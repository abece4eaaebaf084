"""The bills of a reservation, with their papers."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.ledger.debts import EntryState, entry_state
from pms.ledger.queries import EntryRecord
from pms.ledger.statement import Statement
from pms.rules.enumerations import EntryKind
from pms.rules.ledger_entries import EntryBalance
from pms.statements.queries import ChangedInvoice, billed_entries


class NumberedPaper(NamedTuple):
    """A numbered paper of a bill or a payment."""

    id: str
    number: str
    is_sent: bool = False
    changed: ChangedInvoice | None = None


class BillLine(NamedTuple):
    """One entry in a list."""

    entry: EntryRecord
    standing: EntryBalance
    state: EntryState
    days: tuple[date, date] | None
    invoice: NumberedPaper | None


def bills_of(session: Session, found: Statement) -> Sequence[BillLine]:
    """Return the bills of a statement, latest first; voiding entries are shown with their bill."""
    standings = {standing.id: standing for standing in found.standings}
    invoices = _read_invoices(session, found.reservation_id)
    bills = [
        BillLine(
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
    """Return the first and last day that the entry's lines bill, or None."""
    days = list(_days_in_force(entry))
    return (min(first for first, _ in days), max(last for _, last in days)) if days else None


def _days_in_force(entry: EntryRecord) -> Iterator[tuple[date, date]]:
    sums: dict[tuple[str, date, date], int] = {}
    for line in entry.lines:
        if line.first_on is not None and line.last_on is not None:
            key = (line.item, line.first_on, line.last_on)
            sums[key] = sums.get(key, 0) + line.amount_yen
    # A line and its reversal cancel out.
    return ((first, last) for (_, first, last), yen in sums.items() if yen)


def _read_invoices(session: Session, reservation_id: str) -> Mapping[str, NumberedPaper]:
    return {
        billed.id: NumberedPaper(
            billed.invoice.id,
            billed.invoice.number,
            billed.invoice.sent_at is not None,
            billed.changed,
        )
        for billed in billed_entries(session, reservation_id).values()
        if billed.invoice is not None
    }
