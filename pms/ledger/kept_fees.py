"""Reservation fees that are kept when a booking is cancelled."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.work import Work, locked
from pms.ledger.models import LedgerLine
from pms.ledger.planned_entries import (
    PlannedLine,
)
from pms.ledger.posting import (
    line_rows,
    lines_of_entry,
    paid_on,
    write_rows,
)
from pms.ledger.queries import EntryRecord, entries_of, standings
from pms.reservations.models import Reservation
from pms.rules.cancellation import kept_fee_yen
from pms.rules.enumerations import (
    EntryKind,
    FeeCategory,
    LineItem,
)


def keep_paid_fee(work: Work, reservation_id: str) -> int:
    """Credit what was not paid of the fee and the deposits; return the yen of the fee kept.

    The rows are repriced before; the rest of what was paid is returned by settlement.
    """
    locked(work.session, Reservation, reservation_id)
    entries = entries_of(work.session, reservation_id)
    move_in_invoice = next(
        (
            entry
            for entry in reversed(entries)
            if entry.kind is EntryKind.MOVE_IN and entry.voided_on is None
        ),
        None,
    )
    kept_yen = _keep_fee(work.session, work.clock, move_in_invoice)
    # Post a credit for each unpaid deposit: it is neither held nor due any more.
    found = standings(work.session, [reservation_id], work.clock.today()).get(reservation_id, ())
    for standing in found:
        missing_yen = standing.deposit_yen - standing.collected_yen
        if missing_yen > 0:
            lines = lines_of_entry(work.session, standing.id)
            deposit = next(line for line in lines if line.words.category is FeeCategory.DEPOSIT)
            credit = deposit._replace(yen=-missing_yen)
            rows = line_rows(standing.id, None, [credit], work.clock.today())
            write_rows(work.session, LedgerLine, list(rows))
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
