"""Leaves of a cancelled booking's reservation fee what was paid of it (States and transitions)."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.ledger.models import LedgerLine
from pms.ledger.move_payments import paid_on
from pms.ledger.planned_entries import PlannedLine
from pms.ledger.posting import line_rows, write_rows
from pms.ledger.queries import EntryRecord, entries_of
from pms.ledger.reverse_lines import lines_of_entry
from pms.reservations.locks import locked_reservation
from pms.rules.cancellation import kept_fee_yen
from pms.rules.enumerations import EntryKind, LineItem


def keep_paid_fee(session: Session, clock: Clock, actor: str, reservation_id: str) -> int:
    """Append a credit for the unpaid part of the fee; return the yen that are kept.

    The rows are repriced first; the rest of what was paid goes back through settlement.
    """
    locked_reservation(session, reservation_id)
    invoice = _invoice(entries_of(session, reservation_id))
    if invoice is None:
        return 0
    fees = [
        line
        for line in lines_of_entry(session, invoice.id)
        if line.item == LineItem.RESERVATION_FEE
    ]
    fee_yen = sum(line.yen for line in fees)
    kept_yen = kept_fee_yen(fee_yen, paid_on(session, invoice.id))
    if kept_yen != fee_yen:
        credit: PlannedLine = fees[0]._replace(yen=kept_yen - fee_yen)
        lines = list(line_rows(invoice.id, None, [credit], clock.today()))
        write_rows(session, LedgerLine, lines)
    return kept_yen


def _invoice(entries: tuple[EntryRecord, ...]) -> EntryRecord | None:
    """The move-in invoice in force."""
    return next(
        (
            entry
            for entry in reversed(entries)
            if entry.kind is EntryKind.MOVE_IN and entry.voided_on is None
        ),
        None,
    )
