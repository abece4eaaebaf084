"""Takes a conversation in hand: as it stands, within somebody's reach, locked when it is changed."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.inbox_reach import InboxReach
from pms.channels.models import Conversation
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id


def conversation_in_hand(
    session: Session, conversation_id: str, reach: InboxReach, *, is_changed: bool = True
) -> Conversation:
    """Return the conversation, or the one it was merged into; raise `NotFound` out of reach."""
    session.flush()
    wanted = conversation_id if is_id(conversation_id) else None
    # A merged conversation leads to one that may have been merged since; nobody merges in rings.
    while wanted is not None:
        question = reach.narrow(session, select(Conversation).where(Conversation.id == wanted))
        if is_changed:
            question = question.with_for_update().execution_options(populate_existing=True)
        found = session.scalar(question)
        if found is None:
            wanted = _leads_to(session, wanted)
        elif found.merged_into_id is None:
            return found
        else:
            wanted = found.merged_into_id
    raise no_conversation(conversation_id)


def _leads_to(session: Session, conversation_id: str) -> str | None:
    # Its handles went along when it was merged, so by them it is out of everybody's reach.
    asked = select(Conversation.merged_into_id).where(Conversation.id == conversation_id)
    return session.scalar(asked)


def no_conversation(conversation_id: str) -> NotFound:
    """Return the refusal of a conversation that is not here."""
    return NotFound(
        "There is no conversation '{conversation_id}'.", conversation_id=conversation_id[:60]
    )
