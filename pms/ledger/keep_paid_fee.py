"""Leaves of a cancelled booking's reservation fee what was paid of it (States and transitions)."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.ledger.models import LedgerLine
from pms.ledger.move_payments import paid_on
from pms.ledger.planned_entries import PlannedLine
from pms.ledger.posting import line_rows, write_rows
from pms.ledger.queries import EntryRecord, entries_of, standings
from pms.ledger.reverse_lines import lines_of_entry
from pms.reservations.locks import locked_reservation
from pms.rules.cancellation import kept_fee_yen
from pms.rules.enumerations import EntryKind, FeeCategory, LineItem


def keep_paid_fee(session: Session, clock: Clock, actor: str, reservation_id: str) -> int:
    """Append credits for what was not paid of fee and deposits; return the yen of the fee kept.

    The rows are repriced first; the rest of what was paid goes back through settlement.
    """
    locked_reservation(session, reservation_id)
    entries = entries_of(session, reservation_id)
    kept_yen = _keep_fee(session, clock, _invoice(entries))
    _drop_unpaid_deposits(session, clock, reservation_id)
    return kept_yen


def _keep_fee(session: Session, clock: Clock, invoice: EntryRecord | None) -> int:
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


def _drop_unpaid_deposits(session: Session, clock: Clock, reservation_id: str) -> None:
    """Append a credit for each deposit nobody paid: it is not held and not asked for any more."""
    found = standings(session, [reservation_id], clock.today()).get(reservation_id, ())
    for standing in found:
        missing_yen = standing.deposit_yen - standing.collected_yen
        if missing_yen > 0:
            lines = lines_of_entry(session, standing.id)
            deposit = next(one for one in lines if one.words.category is FeeCategory.DEPOSIT)
            credit = deposit._replace(yen=-missing_yen)
            rows = line_rows(standing.id, None, [credit], clock.today())
            write_rows(session, LedgerLine, list(rows))


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
