"""The bills of a reservation, with their papers."""

from collections.abc import Sequence
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
    invoices = {
        billed.id: NumberedPaper(
            billed.invoice.id,
            billed.invoice.number,
            billed.invoice.sent_at is not None,
            billed.changed,
        )
        for billed in billed_entries(session, found.reservation_id).values()
        if billed.invoice is not None
    }
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
    sums: dict[tuple[str, date, date], int] = {}
    for line in entry.lines:
        if line.first_on is not None and line.last_on is not None:
            key = (line.item, line.first_on, line.last_on)
            sums[key] = sums.get(key, 0) + line.amount_yen
    # A line and its reversal cancel out.
    days_in_force = ((first, last) for (_, first, last), yen in sums.items() if yen)
    days = list(days_in_force)
    return (min(first for first, _ in days), max(last for _, last in days)) if days else None
