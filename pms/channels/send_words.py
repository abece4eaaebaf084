"""Sends words to somebody on a channel: kept at once, handed to the provider by the worker."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, checked_email, needed_text
from pms.channels.conversation_of import add_handles, mail_handle
from pms.channels.known_handles import known_handles
from pms.channels.message_mail import mail_words
from pms.channels.models import Conversation, ConversationHandle, GuestMessage
from pms.channels.note_message import locked_conversations, note_message
from pms.channels.recorded_addresses import recorded_addresses
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id, new_id
from pms.foundation.provider_calls import put_call
from pms.rules.channel_words import Channel, MessageKind, MessageState
from pms.rules.deeds import Deed
from pms.rules.enumerations import IntegrationKind, TicketSide
from pms.rules.outgoing_words import LONGEST, length_of
from pms.workspaces.integrations import has_integration

SENDING: Final = "channels.message"
_PROVIDERS: Final = {
    Channel.LINE: IntegrationKind.LINE,
    Channel.WHATSAPP: IntegrationKind.WHATSAPP,
    Channel.OTA: IntegrationKind.OTA,
}


def send_words(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    conversation_id: str,
    channel: Channel,
    handle: str,
    text: str | None,
) -> str:
    """Return the id of the message, which waits for the worker.

    Raises `NotFound` for another's conversation, and `Refused` for words that are too long, for a
    handle that is not this person's, and for a channel that is blocked or not connected.
    """
    row = _conversation(session, conversation_id)
    words = _checked(channel, text)
    handle = _reached(session, clock, row, channel, handle)
    message = GuestMessage(
        id=new_id(),
        conversation_id=row.id,
        channel=channel,
        handle=handle,
        external_id=None,
        side=TicketSide.STAFF,
        kind=MessageKind.TEXT,
        text=words,
        sent_at=clock.now(),
        received_at=clock.now(),
        by=actor,
        state=MessageState.WAITING,
    )
    session.add(message)
    if channel is Channel.MAIL:
        message.external_id = mail_words(session, clock, row, message)
    else:
        put_call(session, clock, kind=SENDING, subject_id=message.id)
    # Who wrote and on which channel; the words themselves stand in the conversation alone.
    told = {"channel": channel, "guest_message": message.id}
    note_deed(session, clock, actor, Deed.MESSAGE_SENT, ("conversation", row.id), after=told)
    note_message(session, clock, row, message)
    session.flush()
    return message.id


def _conversation(session: Session, conversation_id: str) -> Conversation:
    rows = locked_conversations(session, [conversation_id]) if is_id(conversation_id) else {}
    row = rows.get(conversation_id)
    if row is None:
        raise NotFound(
            "There is no conversation '{conversation_id}'.", conversation_id=conversation_id[:60]
        )
    if row.merged_into_id is not None:
        raise Refused("channel: this conversation was merged into another; answer there.")
    return row


def _checked(channel: Channel, text: str | None) -> str:
    if channel not in LONGEST:
        raise Refused("channel: words in the portal are answered where they were written.")
    words, longest = needed_text("text", text, LONGEST_TEXT), LONGEST[channel]
    length = length_of(channel, words)
    if length > longest:
        raise Refused(
            "text: this is {length} characters long; {longest} at most on this channel.",
            length=length,
            longest=longest,
        )
    return words


def _reached(
    session: Session, clock: Clock, row: Conversation, channel: Channel, handle: str
) -> str:
    """Return the handle as it is kept; words only ever go to whom the conversation is with."""
    if channel is Channel.MAIL:
        return _address(session, clock, row, handle)
    known = _known(session, row, channel, handle)
    if known is None:
        raise Refused("channel: this person is not known there.")
    if known.is_blocked:
        raise Refused("channel: this person has blocked the office there, so nothing arrives.")
    if not has_integration(session, _PROVIDERS[channel]):
        raise Refused("channel: no provider is set for it; an operator connects it.")
    return known.handle


def _address(session: Session, clock: Clock, row: Conversation, handle: str) -> str:
    address = checked_email("channel", handle)
    if address is None:
        raise Refused("channel: no e-mail address is recorded, so no mail can leave.")
    by = mail_handle(address)
    if by[1] not in recorded_addresses(session, row, known_handles(session, row)):
        raise Refused("channel: this person is not known there.")
    if _known(session, row, *by) is None and row.linked_by is None:
        add_handles(session, row, [by], clock.now())
    return by[1]


def _known(
    session: Session, row: Conversation, channel: Channel, handle: str
) -> ConversationHandle | None:
    return session.scalar(
        select(ConversationHandle).where(
            ConversationHandle.conversation_id == row.id,
            ConversationHandle.channel == channel,
            ConversationHandle.handle == handle,
        )
    )
