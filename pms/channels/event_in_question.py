"""Takes an event in hand that a person decides about: one that could not be placed, or failed."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import InboundEvent
from pms.foundation.audit import Subject
from pms.foundation.errors import Collision, NotFound
from pms.foundation.ids import is_id
from pms.rules.channel_words import InboundState

OPEN: Final = frozenset({InboundState.UNMATCHED, InboundState.FAILED})
"""The states in which an event waits for a person."""


def event_in_question(
    session: Session, event_id: str, states: Collection[InboundState] = OPEN
) -> InboundEvent:
    """Return the locked row; raise `NotFound`, or `Collision` where it was decided meanwhile."""
    asked = select(InboundEvent).where(InboundEvent.id == event_id).with_for_update()
    event = session.scalar(asked) if is_id(event_id) else None
    if event is None:
        raise NotFound("There is no inbound event '{event_id}'.", event_id=event_id[:60])
    if event.state not in states:
        raise Collision("This event was decided about meanwhile: look at it again.")
    return event


def of_event(event: InboundEvent) -> Subject:
    """Return an event as the subject of a deed."""
    return ("inbound_event", event.id)
