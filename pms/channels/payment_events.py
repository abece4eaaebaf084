"""Events of the payment provider."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.events import event_in_question, of_event
from pms.channels.models import InboundEvent
from pms.channels.outgoing import UNUSED, Outcome
from pms.checkouts.provider_notes import (
    note_provider_disputed,
    note_provider_failed,
    note_provider_paid,
    note_provider_refunded,
)
from pms.collections import collected_bills
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.work import Work
from pms.ledger.queries import entry_record
from pms.providers.payments import PaymentEvent, PaymentNews, read_payment_event
from pms.rules.audit_events import AuditEvent
from pms.rules.message_words import InboundState, WebhookSource

ACTOR: Final = "webhook/payments"
YEN: Final = "jpy"
NOT_YEN: Final = "Only yen are booked, and this is another currency."
_MOST_WOKEN: Final = 200


def take_payment_event(session: Session, clock: Clock, event: InboundEvent) -> Outcome:
    """Apply a payment event; one that a person has to place ends as unmatched, with a reason."""
    try:
        payment = read_payment_event(event.body)
    except ValueError as unreadable:
        return Outcome(InboundState.UNMATCHED, reason=str(unreadable))
    if payment is None:
        return UNUSED
    if payment.currency != YEN:
        return Outcome(InboundState.UNMATCHED, reason=NOT_YEN)
    try:
        with session.begin_nested():
            # A refusal rolls back all changes and becomes the reason.
            reservation_id = _TAKERS[payment.event](session, clock, payment, event.occurred_at)
    except (NotFound, Refused, Collision) as refusal:
        is_money = payment.event is not PaymentEvent.FAILED
        state = InboundState.UNMATCHED if is_money else InboundState.UNUSED
        return Outcome(state, reason=refusal.message)
    if payment.event is PaymentEvent.SUCCEEDED:
        retry_waiting_events(session, clock, payment)
    return Outcome(InboundState.DONE, ("reservation", reservation_id))


def _note_paid(session: Session, clock: Clock, payment: PaymentNews, at: datetime | None) -> str:
    work = Work(session, clock, ACTOR)
    reservation_id = note_provider_paid(
        work,
        intent=payment.intent,
        charge=payment.charge,
        entry_id=_entry(session, payment),
        amount_yen=payment.amount,
        paid_at=at,
        checkout_id=payment.checkout_id,
    )
    if payment.collection_id and collected_bills.is_of(
        session, payment.collection_id, reservation_id
    ):
        collected_bills.note_paid(work, payment.collection_id)
    return reservation_id


def _note_failure(session: Session, clock: Clock, payment: PaymentNews, at: datetime | None) -> str:
    work = Work(session, clock, ACTOR)
    reservation_id = note_provider_failed(
        work,
        intent=payment.intent,
        charge=payment.charge,
        entry_id=_entry(session, payment),
        amount_yen=payment.amount,
        failed_at=at,
        failure=payment.reason,
        checkout_id=payment.checkout_id,
    )
    if payment.collection_id and collected_bills.is_of(
        session, payment.collection_id, reservation_id
    ):
        collected_bills.note_event_failed(work, payment.collection_id, payment.reason)
    return reservation_id


def _note_refund(session: Session, clock: Clock, payment: PaymentNews, at: datetime | None) -> str:
    return note_provider_refunded(
        Work(session, clock, ACTOR),
        intent=payment.intent,
        charge=payment.charge or "",
        total_yen=payment.amount,
        refunded_at=at,
    )


def _note_dispute(session: Session, clock: Clock, payment: PaymentNews, at: datetime | None) -> str:
    return note_provider_disputed(
        Work(session, clock, ACTOR),
        intent=payment.intent,
        charge=payment.charge or "",
        amount_yen=payment.amount,
        disputed_at=at,
        reason=payment.reason,
    )


_TAKERS: Final[
    Mapping[PaymentEvent, Callable[[Session, Clock, PaymentNews, datetime | None], str]]
] = {
    PaymentEvent.SUCCEEDED: _note_paid,
    PaymentEvent.FAILED: _note_failure,
    PaymentEvent.REFUNDED: _note_refund,
    PaymentEvent.DISPUTED: _note_dispute,
}


def _entry(session: Session, payment: PaymentNews) -> str:
    if not payment.entry_id:
        raise NotFound("The payment has no bill in metadata.entryId.")
    try:
        return entry_record(session, payment.entry_id).id
    except NotFound as unknown:
        raise NotFound("The bill named in the payment is not in this workspace.") from unknown


def retry_waiting_events(session: Session, clock: Clock, payment: PaymentNews) -> None:
    """Retry refunds and disputes that arrived before their payment, since order is not guaranteed.

    Only events that can be read are retried; an unreadable one waits for a person and blocks no
    other.
    """
    asked = (
        select(InboundEvent)
        .where(
            InboundEvent.source == WebhookSource.PAYMENTS,
            InboundEvent.state == InboundState.UNMATCHED,
            InboundEvent.kind.in_([PaymentEvent.REFUNDED, PaymentEvent.DISPUTED]),
        )
        # The newest events first, so that old unplaced ones do not use up the limit.
        .order_by(InboundEvent.received_at.desc(), InboundEvent.id.desc())
        .limit(_MOST_WOKEN)
    )
    for event in session.scalars(asked):
        if payment.intent == _intent(event):
            event.state, event.due_at, event.ended_at = InboundState.WAITING, clock.now(), None
            event.attempts = 0


def _intent(event: InboundEvent) -> str | None:
    try:
        payment = read_payment_event(event.body)
    except ValueError:
        return None
    return payment.intent if payment is not None else None


def place_payment_event(work: Work, *, event_id: str, entry_id: str) -> str:
    """Record the money of an event on an entry and return its reservation.

    Raises `NotFound` for an unknown entry, `Collision` for an event that was decided meanwhile, and
    `Refused` for an event that cannot be read or has no amount and for an entry that takes no
    payment.
    """
    event = event_in_question(work.session, event_id)
    paid = _require_payment(_payment_of(event))
    reservation_id = note_provider_paid(
        work,
        intent=paid.intent,
        charge=paid.charge,
        entry_id=entry_id,
        amount_yen=paid.amount,
        paid_at=event.occurred_at,
    )
    event.state, event.failure = InboundState.DONE, None
    event.ended_at, event.ended_by = work.clock.now(), work.actor
    event.subject_kind, event.subject_id = "reservation", reservation_id
    after = {"entry_id": entry_id, "amount_yen": paid.amount}
    audit_event = AuditEvent.INBOUND_EVENT_PLACED
    note_audit_event(work, audit_event, of_event(event), after=after)
    retry_waiting_events(work.session, work.clock, paid)
    work.session.flush()
    return reservation_id


def _payment_of(event: InboundEvent) -> PaymentNews | None:
    try:
        return read_payment_event(event.body) if event.source is WebhookSource.PAYMENTS else None
    except ValueError as unreadable:
        raise Refused(
            "entry: this notification cannot be read: {reason}.", reason=str(unreadable)
        ) from unreadable


def _require_payment(payment: PaymentNews | None) -> PaymentNews:
    if payment is None or payment.event is not PaymentEvent.SUCCEEDED:
        raise Refused("entry: this notification is not about money received.")
    if payment.currency != YEN:
        raise Refused("entry: only yen can be recorded; this is another currency.")
    return payment
