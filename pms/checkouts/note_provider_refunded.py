"""Takes what a provider tells of money that went back: a running total, of which the rest is new."""

from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.checkouts.provider_payments import payment_in_hand, reservation_paid_for
from pms.deposits.queries import settlement_of
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.ledger.models import Payment
from pms.ledger.return_payment import returned_yen
from pms.reservations.locks import locked_reservation
from pms.rules.days import day_of
from pms.statements.take_back_payment import send_back_once


def note_provider_refunded(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    intent: str,
    charge: str,
    total_yen: int,
    refunded_at: datetime | None,
) -> str:
    """Write back what went back since the last time, and return the reservation.

    An earlier total that comes late changes nothing. Raises `NotFound` for a payment of nobody
    here, and `Refused` for more than was paid, or once a settlement counted the money.
    """
    reservation_id = reservation_paid_for(session, intent, charge)
    if reservation_id is not None:
        locked_reservation(session, reservation_id)
    told = payment_in_hand(session, intent, charge)
    if told is None or told.payment_id is None:
        raise NotFound("The payment that went back is not known here.")
    new_yen = total_yen - returned_yen(session, told.payment_id)
    if new_yen > 0:
        _check_unsettled(session, told.reservation_id)
        send_back_once(
            session,
            clock,
            actor,
            payment_id=told.payment_id,
            amount_yen=new_yen,
            reference=f"{charge}/{total_yen}",
            returned_on=_day_within(session, clock, told.payment_id, refunded_at),
        )
    told.refunded_yen = max(told.refunded_yen, total_yen)
    session.flush()
    return told.reservation_id


def _day_within(
    session: Session, clock: Clock, payment_id: str, refunded_at: datetime | None
) -> date:
    """The day the money went back: never before it came by our books, nor to come."""
    asked = select(Payment.received_on).where(Payment.id == payment_id)
    told = day_of(refunded_at or clock.now())
    return min(max(told, session.scalars(asked).one()), clock.today())


def _check_unsettled(session: Session, reservation_id: str) -> None:
    """A settlement has netted what was paid: taken off the entries too, it would count twice."""
    if settlement_of(session, reservation_id) is not None:
        raise Refused("The reservation is settled. Record this money as a refund of its deposit.")
