"""Ends a conversation: nobody waits for a word; new words open it again."""

from sqlalchemy.orm import Session

from pms.channels.conversation_in_hand import conversation_in_hand
from pms.channels.inbox_reach import InboxReach
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.rules.channel_words import ConversationState
from pms.rules.deeds import Deed
from pms.rules.enumerations import TicketSide


def close_conversation(session: Session, clock: Clock, actor: str, *, conversation_id: str) -> None:
    """Close it; one that is done already is left. Its tickets and enquiries stay as they are."""
    row = conversation_in_hand(session, conversation_id, InboxReach.everything())
    if row.state == ConversationState.DONE:
        return
    row.state, row.awaits = ConversationState.DONE, TicketSide.NOBODY
    row.closed_at, row.closed_by = clock.now(), actor
    row.version += 1
    note_change(session, clock, actor, Deed.CONVERSATION_CLOSED, row)
    session.flush()
