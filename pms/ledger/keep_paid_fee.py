"""Leaves of a cancelled booking's reservation fee what was paid of it (States and transitions)."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.ledger.models import LedgerLine
from pms.ledger.move_payments import paid_on
from pms.ledger.planned_entries import PlannedLine
from pms.ledger.posting import line_rows, write_rows
from pms.ledger.queries import EntryRecord, entries_of, standing_of
from pms.ledger.reverse_lines import lines_of_entry
from pms.reservations.locks import locked_reservation
from pms.rules.cancellation import kept_fee_yen
from pms.rules.enumerations import EntryKind, LineItem


def keep_paid_fee(session: Session, clock: Clock, actor: str, reservation_id: str) -> int:
    """Append credits for what was not paid of fee and deposit; return the yen of the fee kept.

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
    _drop_unpaid_deposit(session, clock, reservation_id, invoice.id)
    return kept_yen


def _drop_unpaid_deposit(
    session: Session, clock: Clock, reservation_id: str, invoice_id: str
) -> None:
    """Append a credit for the deposit nobody paid: it is neither held nor asked for any more."""
    standing = standing_of(session, reservation_id, invoice_id, clock.today())
    missing_yen = standing.deposit_yen - standing.collected_yen
    deposits = [
        line for line in lines_of_entry(session, invoice_id) if line.item == LineItem.DEPOSIT
    ]
    if missing_yen > 0 and deposits:
        credit = deposits[0]._replace(yen=-missing_yen)
        write_rows(session, LedgerLine, list(line_rows(invoice_id, None, [credit], clock.today())))


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
