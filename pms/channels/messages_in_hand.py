"""The message a deed is about, with its conversation locked before it."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import Conversation, GuestMessage
from pms.channels.note_message import conversation_that_goes_on
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id


class MessageInHand(NamedTuple):
    """A message as it stands now, and its conversation."""

    message: GuestMessage
    conversation: Conversation


def message_in_hand(session: Session, message_id: str) -> MessageInHand:
    """Return a message, its conversation locked; raise `NotFound` for another's id."""
    asked = select(GuestMessage).where(GuestMessage.id == message_id)
    message = session.scalar(asked) if is_id(message_id) else None
    if message is None:
        raise NotFound("There is no message '{message_id}'.", message_id=message_id[:60])
    row = conversation_that_goes_on(session, message.conversation_id)
    session.refresh(message)
    return MessageInHand(message, row)
