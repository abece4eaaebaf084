"""Cancelling a booking."""

from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from pms.arrivals.amendments import move_deposit_of_new
from pms.arrivals.reservation_record import ReservationHeader
from pms.foundation.audit import facts_of, note_change
from pms.foundation.clock import Clock
from pms.foundation.work import Work
from pms.ledger.charges import keep_paid_fee
from pms.ledger.posting import lines_of_entry, paid_on
from pms.ledger.queries import EntryRecord, entries_of
from pms.ledger.repricing import RepricedRow, preview_repricing, reprice_rows
from pms.reservations.changes import mark_changed, refusal_of_move, reservation_to_change
from pms.reservations.models import Reservation
from pms.reservations.tenancies import tenancy_of
from pms.rules.audit_events import AuditEvent
from pms.rules.cancellation import kept_fee_yen, payment_status_after
from pms.rules.enumerations import EntryKind, Lifecycle, LineItem, PaymentStatus
from pms.upkeep.turnovers import tend_turnovers


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A cancelled booking: the rows that netted to 0, and the fee that is kept, in yen."""

    reservation: Reservation
    repriced: tuple[RepricedRow, ...]
    kept_fee_yen: int


def cancel_booking(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> Cancelled:
    """Cancel before anybody lives there: rows net to 0 and an unpaid reservation fee falls away.

    What was paid besides goes back through settlement. A deposit that was to come along from
    another room comes first. Raises `Refused` once somebody moved in.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    if row.lifecycle not in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        raise refusal_of_move(Lifecycle(row.lifecycle), Lifecycle.CANCELLED)
    move_deposit_of_new(work, new_reservation_id=row.id)
    seen = facts_of(row)
    row.lifecycle, row.cancelled_at = Lifecycle.CANCELLED, work.clock.now()
    row.payment_status = payment_status_after(row.payment_status, PaymentStatus.CANCELLED)
    mark_changed(row, work.clock, work.actor)
    work.session.flush()
    repriced = reprice_rows(work, row.id)
    cancelled = Cancelled(row, repriced, keep_paid_fee(work, row.id))
    kept = {"kept_fee_yen": cancelled.kept_fee_yen}
    note_change(work, AuditEvent.RESERVATION_CANCELLED, row, since=seen, also=kept)
    tend_turnovers(work.session, [row.unit_id])
    return cancelled


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
