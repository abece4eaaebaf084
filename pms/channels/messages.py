"""Messages, and the state of their conversation: last message, whose turn it is, failures."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.channels.models import InboundEvent
from pms.foundation.clock import Clock
from pms.inbox.conversations import Handle, find_next_sides
from pms.inbox.models import Conversation, GuestMessage
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import (
    Channel,
    ConversationState,
    IncomingMessage,
    MessageKind,
    MessageState,
    short_words,
)


def note_message(session: Session, clock: Clock, row: Conversation, message: GuestMessage) -> None:
    """Update a locked conversation after a message was added to it.

    The other side has the turn, and a done conversation is reopened; a ticket or enquiry that waits
    for staff still does when staff write elsewhere. A reaction changes no turn. A late message does
    not replace newer ones, and a sender's clock that is ahead does not keep a conversation on top.
    """
    row.version += 1
    if message.kind is MessageKind.REACTION:
        return
    is_theirs = message.side is TicketSide.RESIDENT
    waits = is_theirs or find_next_sides(session, [row.id])[row.id] is TicketSide.STAFF
    row.awaits = TicketSide.STAFF if waits else TicketSide.RESIDENT
    _reopen_conversation(row)
    written_at = min(message.sent_at, clock.now())
    if not row.last_words or written_at >= row.last_message_at:
        row.last_words = short_words(message.kind, message.text, message.media_name)
        row.last_message_at = written_at
        if is_theirs:
            row.channel = message.channel


def note_failures(session: Session, row: Conversation, *, is_new: bool = False) -> None:
    """Update whether any sent message of the conversation failed.

    With `is_new` a done conversation is reopened, because it was closed in the belief that the
    message was sent.
    """
    if is_new and row.state is ConversationState.DONE:
        _reopen_conversation(row)
        row.awaits = TicketSide.RESIDENT
    session.flush()
    failed = select(GuestMessage.id).where(
        GuestMessage.conversation_id == row.id, GuestMessage.state == MessageState.FAILED
    )
    row.has_failure = session.scalar(failed.limit(1)) is not None
    row.version += 1


def _reopen_conversation(row: Conversation) -> None:
    if row.state is ConversationState.DONE:
        row.state, row.closed_at, row.closed_by = ConversationState.OPEN, None, None


def known_message(session: Session, channel: Channel, external_id: str) -> GuestMessage | None:
    """Return the message with a channel's id."""
    return session.scalar(
        select(GuestMessage).where(
            GuestMessage.channel == channel, GuestMessage.external_id == external_id
        )
    )


def keep_message(
    session: Session,
    clock: Clock,
    row: Conversation,
    event: InboundEvent,
    content: IncomingMessage,
    *,
    handle: Handle,
    external_id: str,
    message_id: str | None = None,
    sent_at: datetime | None = None,
    booking_reference: str | None = None,
    listing: str | None = None,
) -> GuestMessage | None:
    """Add an event's message to a locked conversation; return None when it is there already.

    The message has the id of its event, unless another is given.
    """
    message = GuestMessage(
        id=event.id,
        side=TicketSide.RESIDENT,
        kind=content.kind,
        text=content.text,
        quoted_id=content.quoted_id,
        is_edit=content.is_edit,
        sent_at=event.occurred_at or event.received_at,
        received_at=event.received_at,
        by=None,
        state=MessageState.RECEIVED,
        media_id=content.media_id,
        media_type=content.media_type,
        media_name=content.media_name,
        media_failure=content.media_failure,
    )
    message.id = message_id or event.id
    message.conversation_id = row.id
    message.channel, message.handle = handle
    message.external_id = external_id
    message.sent_at = sent_at or message.sent_at
    message.booking_reference, message.listing = booking_reference, listing
    try:
        with session.begin_nested():
            session.add(message)
    except IntegrityError:
        return None
    note_message(session, clock, row, message)
    return message
