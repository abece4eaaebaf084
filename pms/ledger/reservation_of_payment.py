"""Tells whose a payment is."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.ledger.models import Payment


def reservation_of_payment(session: Session, payment_id: str) -> str:
    """Return the reservation a payment came for; raise `NotFound` for an id of nobody here."""
    found = None
    if is_id(payment_id):
        found = session.scalar(select(Payment.reservation_id).where(Payment.id == payment_id))
    if found is None:
        raise NotFound("There is no payment '{payment_id}'.", payment_id=payment_id[:60])
    return found
