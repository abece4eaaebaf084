"""The newest words of a conversation, by whom they were said: whose turn it is follows from it."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.channels.conversation_thread import conversation_thread
from pms.channels.inbox_reach import InboxReach
from pms.channels.known_handles import known_handles
from pms.channels.models import Conversation
from pms.rules.channel_words import MessageKind
from pms.rules.enumerations import TicketSide


class NewestWords(NamedTuple):
    """Who spoke when."""

    side: TicketSide
    at: datetime
    by: str | None


def newest_words(
    session: Session,
    row: Conversation,
    *,
    side: TicketSide | None = None,
    reach: InboxReach | None = None,
) -> NewestWords | None:
    """Return the newest words among the latest, of one side or of either; steps are no words.

    Words out of somebody's reach are not theirs to have seen.
    """
    handles = known_handles(session, row)
    thread = conversation_thread(session, row.id, handles, reach or InboxReach.everything())
    for line in reversed(thread.lines):
        is_said = line.step is None and line.kind is not MessageKind.REACTION
        if is_said and side in (None, line.side):
            return NewestWords(line.side, line.at, line.by)
    return None
