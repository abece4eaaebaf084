"""Changes of a tenancy's lifecycle state: confirmation, move-in, cancellation and daily steps."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from pms.arrivals.amendments import list_due_deposits, move_deposit_of_new, move_deposits
from pms.arrivals.key_handovers import HandedKeys, write_handover
from pms.arrivals.reservation_headers import ReservationHeader
from pms.foundation.audit import facts_of, note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase, all_of
from pms.foundation.work import Work
from pms.ledger.kept_fees import keep_paid_fee
from pms.ledger.move_in import confirm_when_ready, missing_for_confirmation, payment_status_now
from pms.ledger.posting import lines_of_entry, paid_on
from pms.ledger.queries import EntryRecord, entries_of
from pms.ledger.repricing import RepricedRow, preview_repricing, reprice_rows
from pms.reservations.changes import mark_changed, move_lifecycle, next_lifecycle, refusal_of_move
from pms.reservations.locks import lock_units, reservation_of_locked_unit, reservation_to_change
from pms.reservations.models import Reservation
from pms.reservations.tenancies import tenancy_of
from pms.rules.audit_events import AuditEvent
from pms.rules.cancellation import kept_fee_yen, payment_status_after
from pms.rules.enumerations import (
    EntryKind,
    EsignStatus,
    Lifecycle,
    LineItem,
    PaymentStatus,
    ReservationKind,
)
from pms.upkeep.turnovers import tend_turnovers


def confirm_booking(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> Reservation:
    """Move a booking to confirmed; raise `Refused` naming what is still missing."""
    row = reservation_to_change(work.session, reservation_id, expected_version)
    payment = payment_status_now(work.session, row, work.clock.today())
    missing = missing_for_confirmation(row, payment)
    if missing and row.lifecycle == Lifecycle.BOOKED:
        raise Refused(
            "lifecycle: the booking cannot be confirmed: {missing}.", missing=all_of(missing)
        )
    move_lifecycle(row, Lifecycle.CONFIRMED)
    row.payment_status = payment
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.RESERVATION_CONFIRMED, row)
    work.session.flush()
    return row


def move_in(
    work: Work,
    *,
    reservation_id: str,
    keys: HandedKeys | None = None,
    expected_version: int | None = None,
) -> Reservation:
    """Move a booking to living, from its effective start on, with the keys that were handed over.

    Raises `Refused` before that day. How many keys is not asked again where it was not noted.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    if row.starts_on is None or row.starts_on > work.clock.today():
        start = row.starts_on or Phrase("an unreadable date")
        raise Refused(
            "lifecycle: the contract starts on {start_on} and today is {today}. To move in "
            "earlier, correct the move-in date first.",
            start_on=start,
            today=work.clock.today(),
        )
    move_lifecycle(row, Lifecycle.LIVING)
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.RESERVATION_MOVED_IN, row)
    if keys is not None:
        write_handover(work, row, keys)
    work.session.flush()
    return row


_WAITING = Reservation.lifecycle == Lifecycle.BOOKED
_IS_RESIDENT = Reservation.kind == ReservationKind.RESIDENT
_AUDIT_EVENTS = {
    Lifecycle.CONFIRMED: AuditEvent.RESERVATION_CONFIRMED,
    Lifecycle.LIVING: AuditEvent.RESERVATION_MOVED_IN,
    Lifecycle.MOVED_OUT: AuditEvent.RESERVATION_MOVED_OUT,
}


@dataclass(frozen=True, slots=True)
class AdvancedLifecycles:
    """The ids of the reservations that changed state."""

    confirmed: list[str] = field(default_factory=list)
    living: list[str] = field(default_factory=list)
    moved_out: list[str] = field(default_factory=list)
    deposits_moved: Sequence[str] = ()


def advance_lifecycles(work: Work) -> AdvancedLifecycles:
    """Confirm, move in and move out what is due today; a second call changes nothing.

    A booking that is signed and paid is confirmed, and a confirmed one lives from its start. A
    guest and an owner resident sign nothing and need no confirmation. A resident with a notice
    moves out on the day after the move-out day, a guest on the day after check-out.
    """
    today = work.clock.today()
    is_ready = or_(Reservation.lifecycle == Lifecycle.CONFIRMED, and_(_WAITING, ~_IS_RESIDENT))
    is_leaving = or_(
        Reservation.lifecycle == Lifecycle.NOTICE_FILED,
        and_(Reservation.lifecycle == Lifecycle.LIVING, ~_IS_RESIDENT),
    )
    question = select(Reservation.unit_id, Reservation.id).where(
        or_(
            and_(_WAITING, Reservation.esign_status == EsignStatus.SIGNED),
            and_(is_ready, Reservation.starts_on <= today),
            and_(is_leaving, Reservation.ends_on < today),
        )
    )
    due_reservations = work.session.execute(question.order_by(Reservation.id)).all()
    due, holding = (
        due_reservations,
        list_due_deposits(work.session, today),
    )
    # Lock all units at once and in order, as every change of a tenancy does, to avoid a deadlock.
    lock_units(work.session, [*(unit_id for unit_id, _ in due), *(old.unit_id for old in holding)])
    advanced = AdvancedLifecycles(deposits_moved=move_deposits(work, holding))
    for _, reservation_id in due:
        row = reservation_of_locked_unit(work.session, reservation_id)
        if _advance_lifecycle(work.session, work.clock, row, advanced):
            mark_changed(row, work.clock, work.actor)
            audit_event = _AUDIT_EVENTS.get(row.lifecycle, AuditEvent.PAYMENT_STATUS_CHANGED)
            note_change(work, audit_event, row)
    work.session.flush()
    return advanced


def _advance_lifecycle(
    session: Session, clock: Clock, row: Reservation, advanced: AdvancedLifecycles
) -> bool:
    if confirm_when_ready(session, clock, row):
        advanced.confirmed.append(row.id)
    # The states whose day has come, in order: a short stay may begin and end at once.
    today = clock.today()
    days_say: list[Lifecycle] = []
    is_resident = row.kind == ReservationKind.RESIDENT
    is_ready = row.lifecycle == Lifecycle.CONFIRMED or not is_resident
    waits = row.lifecycle in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}
    if waits and is_ready and row.starts_on is not None and row.starts_on <= today:
        days_say.append(Lifecycle.LIVING)
    if row.ends_on is not None and row.ends_on < today:
        days_say.append(Lifecycle.MOVED_OUT)
    for state in days_say:
        after = next_lifecycle(row, state)
        if after != row.lifecycle:
            row.lifecycle = after
            moved = advanced.living if after == Lifecycle.LIVING else advanced.moved_out
            moved.append(row.id)
    return session.is_modified(row)


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A cancelled booking: the rows that were reduced to 0, and the fee that is kept, in yen."""

    reservation: Reservation
    repriced: tuple[RepricedRow, ...]
    kept_fee_yen: int


def cancel_booking(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> Cancelled:
    """Cancel a booking before move-in: rows become 0 and an unpaid reservation fee is dropped.

    Other payments are returned through settlement. A deposit that waits to be transferred from
    another reservation is transferred first. Raises `Refused` once the booking is past move-in.
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
    """The rows that would be reduced to 0, the sum paid, and the fee kept of it, in whole yen."""

    repriced: tuple[RepricedRow, ...]
    fee_yen: int
    paid_yen: int
    kept_fee_yen: int

    @property
    def dropped_fee_yen(self) -> int:
        """The unpaid part of the fee, which is dropped."""
        return self.fee_yen - self.kept_fee_yen

    @property
    def returned_yen(self) -> int:
        """What was paid above the fee, and is returned through settlement."""
        return max(self.paid_yen - self.kept_fee_yen, 0)


def preview_cancellation(
    session: Session, clock: Clock, header: ReservationHeader
) -> CancellationPreview:
    """Return what `cancel_booking` would do today; raise `Refused` once the move-in is past."""
    if header.lifecycle not in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        raise refusal_of_move(header.lifecycle, Lifecycle.CANCELLED)
    tenancy = replace(tenancy_of(session, header.id, clock.today()), is_cancelled=True)
    repriced = preview_repricing(session, clock, header.id, tenancy)
    entries = [entry for entry in entries_of(session, header.id) if entry.voided_on is None]
    paid_yen = sum(paid_on(session, entry.id) for entry in entries)
    fee_yen, on_invoice_yen = _find_reservation_fee(session, entries)
    return CancellationPreview(repriced, fee_yen, paid_yen, kept_fee_yen(fee_yen, on_invoice_yen))


def _find_reservation_fee(session: Session, entries: list[EntryRecord]) -> tuple[int, int]:
    """Return the reservation fee on the move-in invoice in force, and what was paid on it."""
    invoices = [entry for entry in entries if entry.kind is EntryKind.MOVE_IN]
    if not invoices:
        return 0, 0
    lines = lines_of_entry(session, invoices[-1].id)
    fee_yen = sum(line.yen for line in lines if line.item == LineItem.RESERVATION_FEE)
    return fee_yen, paid_on(session, invoices[-1].id)
