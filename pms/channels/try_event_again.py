"""Has an event taken up once more, at once, by the worker."""

from sqlalchemy.orm import Session

from pms.channels.event_in_question import OPEN, event_in_question, of_event
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.rules.channel_words import InboundState
from pms.rules.deeds import Deed


def try_event_again(session: Session, clock: Clock, actor: str, *, event_id: str) -> None:
    """Let an event wait again that failed, could not be placed, or was set aside."""
    event = event_in_question(session, event_id, OPEN | {InboundState.SET_ASIDE})
    was = {"state": event.state.value}
    event.state, event.due_at, event.attempts = InboundState.WAITING, clock.now(), 0
    event.ended_at = event.ended_by = None
    deed, after = Deed.INBOUND_EVENT_TRIED_AGAIN, {"state": event.state.value}
    note_deed(session, clock, actor, deed, of_event(event), before=was, after=after)
    session.flush()
