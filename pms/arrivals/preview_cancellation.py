"""Shows what cancelling a booking would do to its money; nothing is written."""

from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from pms.arrivals.reservation_header import ReservationHeader
from pms.foundation.clock import Clock
from pms.ledger.move_payments import paid_on
from pms.ledger.queries import EntryRecord, entries_of
from pms.ledger.reprice_rows import preview_repricing
from pms.ledger.repricing_plan import RepricedRow
from pms.ledger.reverse_lines import lines_of_entry
from pms.reservations.changing import refusal_of_move
from pms.reservations.tenancy_facts import tenancy_of
from pms.rules.cancellation import kept_fee_yen
from pms.rules.enumerations import EntryKind, Lifecycle, LineItem


@dataclass(frozen=True, slots=True)
class CancellationPreview:
    """The rows that net to 0, what was paid, and what of it is kept as the fee, whole yen."""

    repriced: tuple[RepricedRow, ...]
    fee_yen: int
    paid_yen: int
    kept_fee_yen: int

    @property
    def dropped_fee_yen(self) -> int:
        """The unpaid part of the fee, which falls away."""
        return self.fee_yen - self.kept_fee_yen

    @property
    def returned_yen(self) -> int:
        """What was paid besides the fee and goes back through settlement."""
        return max(self.paid_yen - self.kept_fee_yen, 0)


def preview_cancellation(
    session: Session, clock: Clock, header: ReservationHeader
) -> CancellationPreview:
    """Return what `cancel_booking` would do today; raise `Refused` once somebody moved in."""
    if header.lifecycle not in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        raise refusal_of_move(header.lifecycle, Lifecycle.CANCELLED)
    tenancy = replace(tenancy_of(session, header.id, clock.today()), is_cancelled=True)
    repriced = preview_repricing(session, clock, header.id, tenancy)
    entries = [one for one in entries_of(session, header.id) if one.voided_on is None]
    paid_yen = sum(paid_on(session, entry.id) for entry in entries)
    fee_yen, on_invoice_yen = _fee(session, entries)
    return CancellationPreview(repriced, fee_yen, paid_yen, kept_fee_yen(fee_yen, on_invoice_yen))


def _fee(session: Session, entries: list[EntryRecord]) -> tuple[int, int]:
    """The reservation fee on the move-in invoice in force, and what was paid on that invoice."""
    invoices = [entry for entry in entries if entry.kind is EntryKind.MOVE_IN]
    if not invoices:
        return 0, 0
    lines = lines_of_entry(session, invoices[-1].id)
    fee_yen = sum(line.yen for line in lines if line.item == LineItem.RESERVATION_FEE)
    return fee_yen, paid_on(session, invoices[-1].id)
