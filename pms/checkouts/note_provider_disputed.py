"""Takes what a provider tells of a dispute: the payment is marked, and a person is told."""

from datetime import datetime

from sqlalchemy.orm import Session

from pms.checkouts.provider_payments import payment_in_hand
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.rules.deeds import Deed


def note_provider_disputed(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    intent: str,
    charge: str,
    amount_yen: int,
    disputed_at: datetime | None,
    reason: str | None,
) -> str:
    """Mark a payment as disputed and return its reservation; the money stays until it goes back.

    Raises `NotFound` for a payment of nobody here.
    """
    told = payment_in_hand(session, intent, charge)
    if told is None or told.payment_id is None:
        raise NotFound("The payment that is disputed is not known here.")
    told.disputed_at = disputed_at or clock.now()
    told.dispute_reason = reason
    facts = {"payment_id": told.payment_id, "amount_yen": amount_yen, "reason": reason}
    about = of_reservation(told.reservation_id)
    note_deed(session, clock, actor, Deed.PAYMENT_DISPUTED, about, after=facts)
    session.flush()
    return told.reservation_id
