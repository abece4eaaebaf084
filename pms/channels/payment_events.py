"""Events of the payment provider."""

from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.events import event_in_question, of_event
from pms.channels.models import InboundEvent
from pms.channels.outgoing import UNUSED, EventOutcome
from pms.checkouts.money_back import note_dispute, note_refund, note_refund_total
from pms.checkouts.provider_notes import note_provider_failed, note_provider_paid
from pms.collections import collected_bills
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.work import Work
from pms.ledger.queries import EntryRecord, entry_record
from pms.providers.payment_news import (
    MONEY_RECEIVED,
    PaymentEvent,
    PaymentNews,
    is_unknown_money,
    read_payment_event,
)
from pms.rules.audit_events import AuditEvent
from pms.rules.message_words import InboundState, WebhookSource

ACTOR: Final = "webhook/payments"
YEN: Final = "jpy"
NOT_YEN: Final = "Only yen are booked, and this is another currency."
PAYOUT_FAILED: Final = "The payout to your bank account did not arrive. Check it at the provider."
UNKNOWN_MONEY: Final = (
    "This kind of notification about money is not recorded here. Check it at the provider."
)
_MOST_WOKEN: Final = 200
_PAYOUTS: Final = frozenset(event for event in PaymentEvent if event.startswith("payout."))
_LATER_WORDS: Final = frozenset(PaymentEvent) - _PAYOUTS - {PaymentEvent.FAILED}
"""The events that follow or repeat the first word about a payment, and may arrive before it."""


def take_payment_event(session: Session, clock: Clock, event: InboundEvent) -> EventOutcome:
    """Apply a payment event; one that a person has to place ends as unmatched, with a reason."""
    try:
        payment = read_payment_event(event.body)
    except ValueError as unreadable:
        return EventOutcome(InboundState.UNMATCHED, reason=str(unreadable))
    if payment is None:
        is_unknown = is_unknown_money(event.kind)
        return EventOutcome(InboundState.UNMATCHED, reason=UNKNOWN_MONEY) if is_unknown else UNUSED
    if payment.event in _PAYOUTS:
        return _take_payout(session, event, payment)
    if payment.currency != YEN:
        return EventOutcome(InboundState.UNMATCHED, reason=NOT_YEN)
    try:
        with session.begin_nested():
            # A refusal rolls back all changes and becomes the reason.
            reservation_id = _apply_event(Work(session, clock, ACTOR), payment, event)
    except (NotFound, Refused, Collision) as refusal:
        is_money = payment.event is not PaymentEvent.FAILED
        state = InboundState.UNMATCHED if is_money else InboundState.UNUSED
        return EventOutcome(state, reason=refusal.message)
    if payment.event in MONEY_RECEIVED:
        retry_waiting_events(session, clock, payment)
    return EventOutcome(InboundState.DONE, ("reservation", reservation_id))


def _apply_event(work: Work, payment: PaymentNews, event: InboundEvent) -> str:
    """Apply an event that is about a payment, and return its reservation."""
    if payment.event in MONEY_RECEIVED:
        return _note_paid(work, payment, event.occurred_at)
    if payment.event is PaymentEvent.FAILED:
        reservation_id = note_provider_failed(
            work,
            intent=payment.intent,
            charge=payment.charge,
            entry_id=_find_entry(work.session, payment).id,
            amount_yen=payment.amount,
            failed_at=event.occurred_at,
            failure=payment.reason,
            checkout_id=payment.checkout_id,
        )
        collection = collected_bills.collection_of_payment(
            work.session, reservation_id, payment.intent, payment.collection_id
        )
        if collection is not None:
            collected_bills.note_event_failed(work, collection.id, payment.reason)
        return reservation_id
    occurred_at = event.occurred_at or event.received_at
    if payment.refund is not None:
        return note_refund(work, payment, payment.refund, occurred_at)
    if payment.dispute is not None:
        return note_dispute(work, payment, payment.dispute, occurred_at)
    return note_refund_total(work, payment, occurred_at)


def _take_payout(session: Session, event: InboundEvent, payout: PaymentNews) -> EventOutcome:
    """Keep a payout to the operator's bank; one that failed waits for a person, once.

    One that arrives is seen on the bank's list, so that nothing else is recorded of it.
    """
    if not payout.is_undone:
        return EventOutcome(InboundState.DONE)
    earlier = select(InboundEvent).where(
        InboundEvent.source == WebhookSource.PAYMENTS,
        InboundEvent.kind.in_(_PAYOUTS),
        InboundEvent.id != event.id,
        InboundEvent.failure == PAYOUT_FAILED,
    )
    is_known = any(_read_intent(other) == payout.intent for other in session.scalars(earlier))
    return EventOutcome(
        InboundState.DONE if is_known else InboundState.UNMATCHED, reason=PAYOUT_FAILED
    )


def _note_paid(work: Work, payment: PaymentNews, at: datetime | None) -> str:
    entry = _find_entry(work.session, payment)
    collection = collected_bills.collection_of_payment(
        work.session, entry.reservation_id, payment.intent, payment.collection_id
    )
    if collection is not None:
        collected_bills.check_money(
            work.session, collection.amount_yen, payment.intent, payment.amount
        )
    reservation_id = note_provider_paid(
        work,
        intent=payment.intent,
        charge=payment.charge,
        entry_id=entry.id,
        amount_yen=payment.amount,
        paid_at=at,
        checkout_id=payment.checkout_id,
    )
    if collection is not None:
        collected_bills.note_paid(work, collection.id, payment.amount)
    return reservation_id


def _find_entry(session: Session, payment: PaymentNews) -> EntryRecord:
    if not payment.entry_id:
        raise NotFound("The payment has no bill in metadata.entryId.")
    try:
        return entry_record(session, payment.entry_id)
    except NotFound as unknown:
        raise NotFound("The bill named in the payment is not in this workspace.") from unknown


def retry_waiting_events(session: Session, clock: Clock, payment: PaymentNews) -> None:
    """Retry what followed a payment and arrived before it, since order is not guaranteed.

    Only events that can be read are retried; an unreadable one waits for a person and blocks no
    other.
    """
    asked = (
        select(InboundEvent)
        .where(
            InboundEvent.source == WebhookSource.PAYMENTS,
            InboundEvent.state == InboundState.UNMATCHED,
            InboundEvent.kind.in_(_LATER_WORDS),
        )
        # The newest events first, so that old unplaced ones do not use up the limit.
        .order_by(InboundEvent.received_at.desc(), InboundEvent.id.desc())
        .limit(_MOST_WOKEN)
    )
    for event in session.scalars(asked):
        if _is_about(event, payment):
            event.state, event.due_at, event.ended_at = InboundState.WAITING, clock.now(), None
            event.attempts = 0


def _read_intent(event: InboundEvent) -> str | None:
    try:
        payment = read_payment_event(event.body)
    except ValueError:
        return None
    return payment.intent if payment is not None else None


def _is_about(event: InboundEvent, payment: PaymentNews) -> bool:
    """Whether an event names the intent of a payment, or its charge."""
    try:
        news = read_payment_event(event.body)
    except ValueError:
        return False
    if news is None:
        return False
    return news.intent == payment.intent or (
        news.charge is not None and news.charge == payment.charge
    )


def place_payment_event(work: Work, *, event_id: str, entry_id: str) -> str:
    """Record the money of an event on an entry and return its reservation.

    Raises `NotFound` for an unknown entry, `Collision` for an event that was decided meanwhile, and
    `Refused` for an event that cannot be read or has no amount and for an entry that takes no
    payment.
    """
    event = event_in_question(work.session, event_id)
    payment = _payment_of(event)
    if payment is None or payment.event not in MONEY_RECEIVED:
        raise Refused("entry: this notification is not about money received.")
    if payment.currency != YEN:
        raise Refused("entry: only yen can be recorded; this is another currency.")
    paid = payment
    reservation_id = note_provider_paid(
        work,
        intent=paid.intent,
        charge=paid.charge,
        entry_id=entry_id,
        amount_yen=paid.amount,
        paid_at=event.occurred_at,
    )
    collection = collected_bills.collection_of_payment(
        work.session, reservation_id, paid.intent, paid.collection_id
    )
    if collection is not None and (
        collection.entry_id == entry_id or collection.amount_yen != paid.amount
    ):
        collected_bills.note_paid(work, collection.id, paid.amount)
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
