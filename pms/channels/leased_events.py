"""Hands events that wait to one worker at a time; one that was killed gives them back."""

from datetime import timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import InboundEvent
from pms.foundation.clock import Clock
from pms.rules.channel_words import InboundState

LEASE: Final = timedelta(minutes=2)
MOST_ATTEMPTS: Final = 8
_FIRST_WAIT: Final = timedelta(seconds=15)


def lease_events(session: Session, clock: Clock, most: int) -> list[InboundEvent]:
    """Take up to `most` due events for this worker; the session is of every workspace.

    A lease that ends unfinished gives the event back, whatever became of the worker.
    """
    due = (
        select(InboundEvent)
        .where(InboundEvent.due_at <= clock.now())
        .order_by(InboundEvent.due_at, InboundEvent.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    events = list(session.scalars(due))
    for event in events:
        event.due_at = clock.now() + LEASE
        event.attempts += 1
    return events


def event_in_hand(session: Session, leased: InboundEvent) -> InboundEvent | None:
    """Return the locked row of a leased event, `None` once it ended or another worker has it."""
    asked = select(InboundEvent).where(InboundEvent.id == leased.id).with_for_update()
    event = session.scalar(asked)
    is_ours = event is not None and event.due_at is not None and event.attempts == leased.attempts
    return event if is_ours else None


def mark_event_failed(event: InboundEvent, clock: Clock, failure: str) -> None:
    """Record a failed attempt; the next one waits longer, after the last one a person looks."""
    event.failure = failure
    if event.attempts >= MOST_ATTEMPTS:
        event.state, event.due_at, event.ended_at = InboundState.FAILED, None, clock.now()
    else:
        event.due_at = clock.now() + _FIRST_WAIT * 2**event.attempts
