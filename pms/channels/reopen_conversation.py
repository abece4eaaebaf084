"""Takes a conversation up again that was done."""

from sqlalchemy.orm import Session

from pms.channels.conversation_in_hand import conversation_in_hand
from pms.channels.inbox_reach import InboxReach
from pms.channels.newest_words import newest_words
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.rules.channel_words import ConversationState
from pms.rules.deeds import Deed
from pms.rules.enumerations import TicketSide


def reopen_conversation(
    session: Session, clock: Clock, actor: str, *, conversation_id: str
) -> None:
    """Open it again: it is the turn of whoever did not speak last; an open one is left."""
    row = conversation_in_hand(session, conversation_id, InboxReach.everything())
    if row.state == ConversationState.OPEN:
        return
    newest = newest_words(session, row)
    is_ours = newest is not None and newest.side == TicketSide.STAFF
    row.state = ConversationState.OPEN
    row.awaits = TicketSide.RESIDENT if is_ours else TicketSide.STAFF
    row.closed_at, row.closed_by, row.reopened_at = None, None, clock.now()
    row.version += 1
    note_change(session, clock, actor, Deed.CONVERSATION_REOPENED, row)
    session.flush()
