"""Sets an event aside that nobody needs to place: it stays readable and changes nothing."""

from sqlalchemy.orm import Session

from pms.channels.event_in_question import event_in_question, of_event
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.rules.channel_words import InboundState
from pms.rules.deeds import Deed


def set_event_aside(session: Session, clock: Clock, actor: str, *, event_id: str) -> None:
    """Close an event without any effect."""
    event = event_in_question(session, event_id)
    was = {"state": event.state.value}
    event.state, event.ended_at, event.ended_by = InboundState.SET_ASIDE, clock.now(), actor
    deed, after = Deed.INBOUND_EVENT_SET_ASIDE, {"state": event.state.value}
    note_deed(session, clock, actor, deed, of_event(event), before=was, after=after)
    session.flush()
