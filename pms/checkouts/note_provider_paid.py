"""Takes what a provider tells of money that arrived: it is on the ledger once."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.confirming import confirm_when_ready
from pms.checkouts.models import Checkout, ProviderPayment
from pms.checkouts.note_checkout_event import METHOD, note_checkout_event
from pms.checkouts.provider_payments import payment_in_hand
from pms.foundation.audit import facts_of, note_change
from pms.foundation.clock import Clock
from pms.foundation.ids import is_id
from pms.ledger.models import Payment
from pms.ledger.queries import entry_record
from pms.ledger.record_payment import record_payment
from pms.reservations.changing import mark_changed, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.deeds import Deed
from pms.rules.enumerations import CheckoutState


def note_provider_paid(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    intent: str,
    charge: str | None,
    entry_id: str,
    amount_yen: int,
    paid_at: datetime | None,
    checkout_id: str | None = None,
) -> str:
    """Record money on the entry it names, unless it is there already; return its reservation.

    The visit to a payment page it came by ends with it; a look-up that tells the same finds it by
    the provider's name. Raises `NotFound` for an entry of nobody here, and `Refused` for one
    that takes no payment or for another amount than the visit asked.
    """
    reservation_id = entry_record(session, entry_id).reservation_id
    row = reservation_to_change(session, reservation_id)
    visit = _visit_of(session, checkout_id, reservation_id)
    if visit is not None:
        note_checkout_event(
            session,
            clock,
            actor,
            checkout_id=visit.id,
            outcome=CheckoutState.PAID,
            payment_reference=intent,
            amount_yen=amount_yen,
        )
    payment_id = _known(session, intent, visit)
    if payment_id is None:
        payment_id = record_payment(
            session,
            clock,
            actor,
            reservation_id=reservation_id,
            amount_yen=amount_yen,
            received_on=min(day_of(paid_at or clock.now()), clock.today()),
            entry_id=entry_id,
            method=METHOD,
            reference=intent,
        )
        _confirm(session, clock, actor, row)
    told = payment_in_hand(session, intent, charge)
    if told is None:
        told = ProviderPayment(intent=intent, reservation_id=reservation_id, refunded_yen=0)
        session.add(told)
    told.charge = charge or told.charge
    told.payment_id, told.paid_at = payment_id, paid_at or clock.now()
    told.amount_yen, told.entry_id = amount_yen, entry_id
    told.failed_at = told.failure = None
    session.flush()
    return reservation_id


def _visit_of(session: Session, checkout_id: str | None, reservation_id: str) -> Checkout | None:
    if checkout_id is None or not is_id(checkout_id):
        return None
    asked = select(Checkout).where(
        Checkout.id == checkout_id, Checkout.reservation_id == reservation_id
    )
    return session.scalar(asked)


def _known(session: Session, intent: str, visit: Checkout | None) -> str | None:
    """The money, by the provider's name; a look-up that learned none wrote it by the visit's."""
    names = [intent, *([visit.id, visit.reference] if visit else [])]
    known = select(Payment.id).where(Payment.method == METHOD, Payment.reference.in_(names))
    return session.scalar(known)


def _confirm(session: Session, clock: Clock, actor: str, row: Reservation) -> None:
    """Confirm a booking that waited for nothing but this money."""
    seen = facts_of(row)
    if confirm_when_ready(session, clock, row):
        mark_changed(row, clock, actor)
        note_change(session, clock, actor, Deed.RESERVATION_CONFIRMED, row, since=seen)
        session.flush()
