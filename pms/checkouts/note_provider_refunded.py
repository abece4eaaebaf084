"""Takes what a provider tells of money that went back: a running total, of which the rest is new."""

from datetime import datetime

from sqlalchemy.orm import Session

from pms.checkouts.provider_payments import payment_in_hand
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.ledger.return_payment import return_payment, returned_yen
from pms.reservations.locks import locked_reservation
from pms.rules.days import day_of


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
    here, and `Refused` for more than was paid.
    """
    told = payment_in_hand(session, intent, charge)
    if told is None or told.payment_id is None:
        raise NotFound("The payment that went back is not known here.")
    locked_reservation(session, told.reservation_id)
    told = payment_in_hand(session, intent, charge) or told
    new_yen = total_yen - returned_yen(session, told.payment_id or "")
    if new_yen > 0:
        return_payment(
            session,
            clock,
            actor,
            payment_id=told.payment_id or "",
            amount_yen=new_yen,
            reference=f"{charge}/{total_yen}",
            returned_on=day_of(refunded_at) if refunded_at else None,
        )
    told.refunded_yen = max(told.refunded_yen, total_yen)
    session.flush()
    return told.reservation_id
