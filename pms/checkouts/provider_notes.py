"""What the payment provider reports of a payment: paid, failed, refunded or disputed."""

from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.checkouts.lookups import METHOD, lock_payment, note_checkout_event, reservation_paid_for
from pms.checkouts.models import Checkout, ProviderPayment
from pms.deposits.deposit_report import settlement_of
from pms.foundation.audit import facts_of, note_audit_event, note_change, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.foundation.work import Work, locked
from pms.ledger.models import Payment
from pms.ledger.move_in import change_payment_status, confirm_when_ready
from pms.ledger.payment_plan import record_payment
from pms.ledger.payments import returned_yen
from pms.ledger.queries import entry_record, standing_of
from pms.reservations.changes import mark_changed, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import CheckoutState, EntryKind, PaymentStatus
from pms.statements.receipts import send_back_once


def note_provider_disputed(
    work: Work,
    *,
    intent: str,
    charge: str,
    amount_yen: int,
    disputed_at: datetime | None,
    reason: str | None,
) -> str:
    """Mark a payment as disputed and return its reservation; the money stays until it is returned.

    Raises `NotFound` for an unknown payment.
    """
    payment = lock_payment(work.session, intent, charge)
    if payment is None or payment.payment_id is None:
        raise NotFound("The disputed payment was not found.")
    payment.disputed_at = disputed_at or work.clock.now()
    payment.dispute_reason = reason
    facts = {"payment_id": payment.payment_id, "amount_yen": amount_yen, "reason": reason}
    about = of_reservation(payment.reservation_id)
    note_audit_event(work, AuditEvent.PAYMENT_DISPUTED, about, after=facts)
    work.session.flush()
    return payment.reservation_id


def note_provider_refunded(
    work: Work, *, intent: str, charge: str, total_yen: int, refunded_at: datetime | None
) -> str:
    """Record the newly refunded part of a payment, and return its reservation.

    A smaller total that arrives late changes nothing. Raises `NotFound` for an unknown payment, and
    `Refused` for more than was paid, and after a settlement has included the money.
    """
    reservation_id = reservation_paid_for(work.session, intent, charge)
    if reservation_id is not None:
        locked(work.session, Reservation, reservation_id)
    payment = lock_payment(work.session, intent, charge)
    if payment is None or payment.payment_id is None:
        raise NotFound("The refunded payment was not found.")
    new_yen = total_yen - returned_yen(work.session, payment.payment_id)
    if new_yen > 0:
        _check_unsettled(work.session, payment.reservation_id)
        send_back_once(
            work,
            payment_id=payment.payment_id,
            amount_yen=new_yen,
            reference=f"{charge}/{total_yen}",
            returned_on=_day_within(work.session, work.clock, payment.payment_id, refunded_at),
        )
    payment.refunded_yen = max(payment.refunded_yen, total_yen)
    work.session.flush()
    return payment.reservation_id


def _day_within(
    session: Session, clock: Clock, payment_id: str, refunded_at: datetime | None
) -> date:
    """Return the day of the refund, not before the payment's day and not in the future."""
    asked = select(Payment.received_on).where(Payment.id == payment_id)
    on = day_of(refunded_at or clock.now())
    return min(max(on, session.scalars(asked).one()), clock.today())


def _check_unsettled(session: Session, reservation_id: str) -> None:
    """Raise `Refused` after a settlement, which included the payment: it would count twice."""
    if settlement_of(session, reservation_id) is not None:
        raise Refused("The reservation is settled. Record this money as a refund of the deposit.")


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
    payment = known or _new(work.session, row.id, entry_id, intent, amount_yen)
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
    payment or an amount other than the visit's.
    """
    reservation_id = entry_record(work.session, entry_id).reservation_id
    row = reservation_to_change(work.session, reservation_id)
    visit = _visit_of(work.session, checkout_id, reservation_id)
    if visit is not None:
        _end_visit(work, visit, intent, amount_yen)
    paid_at = paid_at or work.clock.now()
    payment_id = _find_payment(work.session, intent, visit)
    if payment_id is None:
        payment_id = record_payment(
            work,
            reservation_id=reservation_id,
            amount_yen=amount_yen,
            received_on=min(day_of(paid_at), work.clock.today()),
            entry_id=entry_id,
            method=METHOD,
            reference=intent,
        )
        _confirm(work, row)
    payment = lock_payment(work.session, intent, charge) or _new(
        work.session, reservation_id, entry_id, intent, amount_yen
    )
    payment.charge = charge or payment.charge
    payment.payment_id, payment.paid_at = payment_id, paid_at
    payment.amount_yen, payment.entry_id = amount_yen, entry_id
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


def _find_payment(session: Session, intent: str, visit: Checkout | None) -> str | None:
    """Return the recorded payment, by the provider's id or, if a look-up lacked it, the visit's."""
    names = [intent, *([visit.id, visit.reference] if visit else [])]
    known = select(Payment.id).where(Payment.method == METHOD, Payment.reference.in_(names))
    return session.scalar(known)


def _confirm(work: Work, row: Reservation) -> None:
    """Confirm a booking for which only this payment was missing."""
    seen = facts_of(row)
    if confirm_when_ready(work.session, work.clock, row):
        mark_changed(row, work.clock, work.actor)
        note_change(work, AuditEvent.RESERVATION_CONFIRMED, row, since=seen)
        work.session.flush()
