"""Takes what a provider tells of money that was refused: nothing is paid, and the reason is shown."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.change_payment_status import change_payment_status
from pms.checkouts.models import Checkout, ProviderPayment
from pms.checkouts.note_checkout_event import note_checkout_event
from pms.checkouts.provider_payments import payment_in_hand
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.ids import is_id
from pms.ledger.queries import entry_record, standing_of
from pms.reservations.changing import reservation_to_change
from pms.rules.deeds import Deed
from pms.rules.enumerations import CheckoutState, EntryKind, PaymentStatus


def note_provider_failed(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    intent: str,
    charge: str | None,
    entry_id: str,
    amount_yen: int,
    failed_at: datetime | None,
    failure: str | None,
    checkout_id: str | None = None,
) -> str:
    """Keep why money was refused and return the reservation; what was paid since stays paid.

    Raises `NotFound` for an entry of nobody here.
    """
    entry = entry_record(session, entry_id)
    row = reservation_to_change(session, entry.reservation_id)
    known = payment_in_hand(session, intent)
    if known is not None and (known.payment_id is not None or _is_older(known, failed_at)):
        return row.id
    told = known or _new(session, row.id, entry_id, intent, amount_yen)
    told.charge = charge or told.charge
    told.failed_at, told.failure = failed_at or clock.now(), failure
    facts = {"entry_id": entry_id, "amount_yen": amount_yen, "failure": failure}
    note_deed(session, clock, actor, Deed.PAYMENT_FAILED, of_reservation(row.id), after=facts)
    session.flush()
    if checkout_id is not None and _is_visit_of(session, checkout_id, row.id):
        note_checkout_event(
            session,
            clock,
            actor,
            checkout_id=checkout_id,
            outcome=CheckoutState.FAILED,
            failure=failure,
        )
    elif (
        entry.kind is EntryKind.MOVE_IN
        and standing_of(session, row.id, entry_id, clock.today()).open_yen
    ):
        status = PaymentStatus.FAILED
        change_payment_status(session, clock, actor, reservation_id=row.id, status=status)
    return row.id


def _new(
    session: Session, reservation_id: str, entry_id: str, intent: str, amount_yen: int
) -> ProviderPayment:
    row = ProviderPayment(
        intent=intent,
        charge=None,
        reservation_id=reservation_id,
        entry_id=entry_id,
        payment_id=None,
        amount_yen=amount_yen,
        refunded_yen=0,
    )
    session.add(row)
    return row


def _is_older(known: ProviderPayment, failed_at: datetime | None) -> bool:
    told_at = known.failed_at
    return told_at is not None and failed_at is not None and failed_at <= told_at


def _is_visit_of(session: Session, checkout_id: str, reservation_id: str) -> bool:
    asked = select(Checkout.reservation_id).where(Checkout.id == checkout_id)
    return is_id(checkout_id) and session.scalar(asked) == reservation_id
