"""Places money that a provider told of and that named no entry here: a person names it."""

from sqlalchemy.orm import Session

from pms.channels.event_in_question import event_in_question, of_event
from pms.channels.models import InboundEvent
from pms.channels.take_payment_event import YEN, wake_those_that_waited
from pms.checkouts.note_provider_paid import note_provider_paid
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.channel_words import InboundState, WebhookSource
from pms.rules.deeds import Deed
from pms.rules.payment_events import PaymentEvent, PaymentTold, payment_told


def place_payment_event(
    session: Session, clock: Clock, actor: str, *, event_id: str, entry_id: str
) -> str:
    """Record the money of an event on an entry and return its reservation.

    Raises `NotFound` for an entry of nobody here, `Collision` for an event that was decided about
    meanwhile, and `Refused` for one that cannot be read or tells of no yen, or
    an entry that takes none.
    """
    event = event_in_question(session, event_id)
    paid = _paid(_told(event))
    reservation_id = note_provider_paid(
        session,
        clock,
        actor,
        intent=paid.intent,
        charge=paid.charge,
        entry_id=entry_id,
        amount_yen=paid.amount,
        paid_at=event.occurred_at,
    )
    event.state, event.failure = InboundState.DONE, None
    event.ended_at, event.ended_by = clock.now(), actor
    event.subject_kind, event.subject_id = "reservation", reservation_id
    after = {"entry_id": entry_id, "amount_yen": paid.amount}
    deed = Deed.INBOUND_EVENT_PLACED
    note_deed(session, clock, actor, deed, of_event(event), after=after)
    wake_those_that_waited(session, clock, paid)
    session.flush()
    return reservation_id


def _told(event: InboundEvent) -> PaymentTold | None:
    try:
        return payment_told(event.body) if event.source is WebhookSource.PAYMENTS else None
    except ValueError as unreadable:
        raise Refused(
            "entry: this event cannot be read: {reason}.", reason=str(unreadable)
        ) from unreadable


def _paid(told: PaymentTold | None) -> PaymentTold:
    if told is None or told.event is not PaymentEvent.SUCCEEDED:
        raise Refused("entry: this event tells of no money that arrived.")
    if told.currency != YEN:
        raise Refused("entry: only yen are booked, and this is another currency.")
    return told
