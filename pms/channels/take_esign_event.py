"""Takes up an event of a provider of signatures: a document was sent, signed, declined, voided."""

from typing import Final

from sqlalchemy.orm import Session

from pms.channels.models import InboundEvent
from pms.channels.outcome import UNUSED, Outcome
from pms.contracts.note_envelope_event import (
    EnvelopeEvent,
    note_envelope_event,
    reservation_of_envelope,
)
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.rules.channel_words import InboundState
from pms.rules.esign_events import envelope_news

ACTOR: Final = "webhook/esign"
_LOOKED_FOR: Final = 4
"""A document may be told of before we have kept what its provider calls it."""


def take_esign_event(session: Session, clock: Clock, event: InboundEvent) -> Outcome:
    """Move a document on; one that is not ours changes nothing and is kept."""
    try:
        news = envelope_news(event.body)
    except ValueError as unreadable:
        return Outcome(InboundState.UNMATCHED, reason=str(unreadable))
    if news.kind not in list(EnvelopeEvent):
        return UNUSED
    reservation_id = reservation_of_envelope(session, news.envelope)
    if reservation_id is None:
        unknown = NotFound("No document here is the envelope '{id}'.", id=news.envelope)
        if event.attempts < _LOOKED_FOR:
            raise unknown
        return Outcome(InboundState.UNUSED, reason=unknown.message)
    note_envelope_event(
        session,
        clock,
        ACTOR,
        envelope=news.envelope,
        event=EnvelopeEvent(news.kind),
        reason=news.reason,
        signer=news.signer if news.kind == EnvelopeEvent.COMPLETED else None,
        occurred_at=event.occurred_at,
    )
    return Outcome(InboundState.DONE, ("reservation", reservation_id))
