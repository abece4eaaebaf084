"""What the payment provider reports of a payment: paid or failed."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.checkouts.lookups import METHOD, check_paid_amount, lock_payment, note_checkout_event
from pms.checkouts.models import Checkout, ProviderPayment
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.ids import is_id
from pms.foundation.work import Work
from pms.ledger.models import Payment
from pms.ledger.move_in import change_payment_status
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import entry_record, standing_of
from pms.reservations.locks import reservation_to_change
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import CheckoutState, EntryKind, PaymentStatus


def note_provider_failed(
    work: Work,
    *,
    intent: str,
    charge: str | None,
    entry_id: str,
    amount_yen: int,
    failed_at: datetime | None,
    failure: str | None,
    checkout_id: str | None = None,
) -> str:
    """Store why a payment failed and return the reservation; later payments are kept.

    Raises `NotFound` for an unknown entry.
    """
    entry = entry_record(work.session, entry_id)
    row = reservation_to_change(work.session, entry.reservation_id)
    known = lock_payment(work.session, intent)
    if known is not None and (known.payment_id is not None or _is_older(known, failed_at)):
        return row.id
    payment = known or _add_payment(work.session, row.id, entry_id, intent, amount_yen)
    payment.charge = charge or payment.charge
    payment.failed_at, payment.failure = failed_at or work.clock.now(), failure
    facts = {"entry_id": entry_id, "amount_yen": amount_yen, "failure": failure}
    note_audit_event(work, AuditEvent.PAYMENT_FAILED, of_reservation(row.id), after=facts)
    work.session.flush()
    if checkout_id is not None and _is_visit_of(work.session, checkout_id, row.id):
        note_checkout_event(
            work, checkout_id=checkout_id, outcome=CheckoutState.FAILED, failure=failure
        )
    elif (
        entry.kind is EntryKind.MOVE_IN
        and standing_of(work.session, row.id, entry_id, work.clock.today()).open_yen
    ):
        status = PaymentStatus.FAILED
        change_payment_status(work, reservation_id=row.id, status=status)
    return row.id


def _add_payment(
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
    known_at = known.failed_at
    return known_at is not None and failed_at is not None and failed_at <= known_at


def _is_visit_of(session: Session, checkout_id: str, reservation_id: str) -> bool:
    asked = select(Checkout.reservation_id).where(Checkout.id == checkout_id)
    return is_id(checkout_id) and session.scalar(asked) == reservation_id


def note_provider_paid(
    work: Work,
    *,
    intent: str,
    charge: str | None,
    entry_id: str,
    amount_yen: int,
    paid_at: datetime | None,
    checkout_id: str | None = None,
) -> str:
    """Record a payment on its entry, unless it is recorded already; return its reservation.

    It ends the visit to the payment page; a look-up with the same result recognises it by the
    provider's id. Raises `NotFound` for an unknown entry, and `Refused` for an entry that takes no
    payment or an amount other than the visit's or the recorded one. What a person placed with
    another amount ends no visit.
    """
    reservation_id = entry_record(work.session, entry_id).reservation_id
    reservation_to_change(work.session, reservation_id)
    visit = _visit_of(work.session, checkout_id, reservation_id)
    known = _find_payment(work.session, intent, visit)
    if known is not None:
        check_paid_amount(amount_yen, known.amount_yen)
    if visit is not None and (known is None or amount_yen == visit.amount_yen):
        check_paid_amount(amount_yen, visit.amount_yen)
        _end_visit(work, visit, intent, amount_yen)
        known = _find_payment(work.session, intent, visit)
    paid_at = paid_at or work.clock.now()
    payment_id = (
        known.id
        if known is not None
        else record_payment(
            work,
            reservation_id=reservation_id,
            amount_yen=amount_yen,
            received_on=min(day_of(paid_at), work.clock.today()),
            entry_id=entry_id,
            method=METHOD,
            reference=intent,
        )
    )
    payment = lock_payment(work.session, intent, charge) or _add_payment(
        work.session, reservation_id, entry_id, intent, amount_yen
    )
    payment.charge = charge or payment.charge
    if payment.payment_id is None:
        payment.amount_yen, payment.entry_id = amount_yen, entry_id
    payment.payment_id, payment.paid_at = payment_id, paid_at
    payment.failed_at = payment.failure = None
    work.session.flush()
    return reservation_id


def _end_visit(work: Work, visit: Checkout, intent: str, amount_yen: int) -> None:
    note_checkout_event(
        work,
        checkout_id=visit.id,
        outcome=CheckoutState.PAID,
        payment_reference=intent,
        amount_yen=amount_yen,
    )


def _visit_of(session: Session, checkout_id: str | None, reservation_id: str) -> Checkout | None:
    if checkout_id is None or not is_id(checkout_id):
        return None
    asked = select(Checkout).where(
        Checkout.id == checkout_id, Checkout.reservation_id == reservation_id
    )
    return session.scalar(asked)


def _find_payment(session: Session, intent: str, visit: Checkout | None) -> Payment | None:
    """Return the recorded payment, by the provider's id or, if a look-up lacked it, the visit's."""
    names = [intent, *([visit.id, visit.reference] if visit else [])]
    known = select(Payment).where(Payment.method == METHOD, Payment.reference.in_(names))
    return session.scalar(known)
