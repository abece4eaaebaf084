"""Cancels a booking (specification, States and transitions): what was paid of its fee is kept."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from pms.arrivals.moving_deposits import move_deposit_of_new
from pms.foundation.audit import facts_of, note_change
from pms.foundation.clock import Clock
from pms.ledger.keep_paid_fee import keep_paid_fee
from pms.ledger.reprice_rows import reprice_rows
from pms.ledger.repricing_plan import RepricedRow
from pms.reservations.changing import (
    mark_changed,
    refusal_of_move,
    reservation_to_change,
)
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import Lifecycle, PaymentStatus
from pms.rules.status_changes import payment_status_after


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A cancelled booking: the rows that netted to 0, and the fee that is kept, in yen."""

    reservation: Reservation
    repriced: tuple[RepricedRow, ...]
    kept_fee_yen: int


def cancel_booking(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    expected_version: int | None = None,
) -> Cancelled:
    """Cancel before anybody lives there: rows net to 0 and an unpaid reservation fee falls away.

    What was paid besides goes back through settlement. A deposit that was to come along from
    another room comes first. Raises `Refused` once somebody moved in.
    """
    row = reservation_to_change(session, reservation_id, expected_version)
    if row.lifecycle not in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        raise refusal_of_move(Lifecycle(row.lifecycle), Lifecycle.CANCELLED)
    move_deposit_of_new(session, clock, actor, new_reservation_id=row.id)
    seen = facts_of(row)
    row.lifecycle, row.cancelled_at = Lifecycle.CANCELLED, clock.now()
    row.payment_status = payment_status_after(row.payment_status, PaymentStatus.CANCELLED)
    mark_changed(row, clock, actor)
    session.flush()
    repriced = reprice_rows(session, clock, actor, row.id)
    cancelled = Cancelled(row, repriced, keep_paid_fee(session, clock, actor, row.id))
    kept = {"kept_fee_yen": cancelled.kept_fee_yen}
    note_change(session, clock, actor, Deed.RESERVATION_CANCELLED, row, since=seen, also=kept)
    return cancelled
