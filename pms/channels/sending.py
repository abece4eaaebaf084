"""Sending messages on a channel: stored at once, sent by the worker."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_TEXT, check_email, needed_text
from pms.channels.answer_ways import known_handles, mail_words, recorded_addresses
from pms.channels.conversations import LONGEST_NAME
from pms.channels.messages import note_message
from pms.channels.taken_back_messages import FORGETTING
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.outbox import TroubledCall, put_call
from pms.foundation.work import Work
from pms.inbox.conversations import add_handles, lock_conversations, mail_handle
from pms.inbox.models import Conversation, ConversationHandle, GuestMessage
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import IntegrationKind, TicketSide
from pms.rules.message_words import LONGEST, Channel, MessageKind, MessageState, length_of
from pms.workspaces.integrations import has_integration

SENDING: Final = "channels.message"
_PROVIDERS: Final = {
    Channel.LINE: IntegrationKind.LINE,
    Channel.WHATSAPP: IntegrationKind.WHATSAPP,
    Channel.OTA: IntegrationKind.OTA,
}


def send_words(
    work: Work, *, conversation_id: str, channel: Channel, handle: str, text: str | None
) -> str:
    """Store a message for the worker to send; return its id.

    Raises `NotFound` for an unknown conversation, and `Refused` for a text that is too long, for a
    handle that is not this person's, and for a channel that is blocked or not connected.
    """
    rows = lock_conversations(work.session, [conversation_id]) if is_id(conversation_id) else {}
    row = rows.get(conversation_id)
    if row is None:
        raise no_such("conversation", conversation_id)
    if row.merged_into_id is not None:
        raise Refused("channel: this conversation was merged into another. Reply there.")
    if channel not in LONGEST:
        raise Refused("channel: reply to portal messages where they were written.")
    words, longest = needed_text("text", text, LONGEST_TEXT), LONGEST[channel]
    length = length_of(channel, words)
    if length > longest:
        raise Refused(
            "text: this has {length} characters. At most {longest} are possible on this channel.",
            length=length,
            longest=longest,
        )
    handle = _find_reached_handle(work.session, work.clock, row, channel, handle)
    message = GuestMessage(
        id=new_id(),
        conversation_id=row.id,
        channel=channel,
        handle=handle,
        external_id=None,
        side=TicketSide.STAFF,
        kind=MessageKind.TEXT,
        text=words,
        sent_at=work.clock.now(),
        received_at=work.clock.now(),
        by=work.actor,
        state=MessageState.WAITING,
    )
    work.session.add(message)
    if channel is Channel.MAIL:
        message.external_id = mail_words(work.session, work.clock, row, message)
    else:
        put_call(work.session, work.clock, kind=SENDING, subject_id=message.id)
    # The audit event has the writer and the channel; only the conversation has the text.
    facts = {"channel": channel, "guest_message": message.id}
    note_audit_event(work, AuditEvent.MESSAGE_SENT, ("conversation", row.id), after=facts)
    note_message(work.session, work.clock, row, message)
    work.session.flush()
    return message.id


def _find_reached_handle(
    session: Session, clock: Clock, row: Conversation, channel: Channel, handle: str
) -> str:
    """Return the stored handle; messages go only to handles of the conversation."""
    if channel is Channel.MAIL:
        address = check_email("channel", handle)
        if address is None:
            raise Refused("channel: there is no email address, so no email can be sent.")
        by = mail_handle(address)
        if by[1] not in recorded_addresses(session, row, known_handles(session, row)):
            raise Refused("channel: this person has no contact there.")
        if _find_handle(session, row, *by) is None and row.linked_by is None:
            add_handles(session, row, [by], clock.now())
        return by[1]
    known = _find_handle(session, row, channel, handle)
    if known is None:
        raise Refused("channel: this person has no contact there.")
    if known.is_blocked:
        raise Refused(
            "channel: this person has blocked the office there, so messages cannot be delivered."
        )
    if not has_integration(session, _PROVIDERS[channel]):
        raise Refused(
            "channel: no provider is set up for this channel. An operator can connect one."
        )
    return known.handle


def _find_handle(
    session: Session, row: Conversation, channel: Channel, handle: str
) -> ConversationHandle | None:
    return session.scalar(
        select(ConversationHandle).where(
            ConversationHandle.conversation_id == row.id,
            ConversationHandle.channel == channel,
            ConversationHandle.handle == handle,
        )
    )


FETCHING: Final = "channels.file"
MOST_BYTES: Final = 10 * 1024 * 1024


def ask_for_media(session: Session, clock: Clock, message: GuestMessage) -> None:
    """Queue a fetch of the message's file, if any; the provider keeps it for a few days only."""
    if message.media_id is not None:
        put_call(session, clock, kind=FETCHING, subject_id=message.id)


NAMING: Final = "channels.line_name"
_ROOM: Final = "R"
_SHOWN: Final = 4
_FIRST: Final = 2
"""The version of a new conversation after its first message."""


def unnamed_person(handle: str) -> str:
    """Return the name of a LINE user until LINE has returned the real one."""
    return f"LINE …{handle[-_SHOWN:]}"


def ask_line_name(session: Session, clock: Clock, row: Conversation, handle: str) -> None:
    """Queue a request for the LINE name, once, if it is unknown and LINE is connected."""
    is_first = row.version == _FIRST and row.name == unnamed_person(handle)
    if is_first and not handle.startswith(_ROOM) and has_integration(session, IntegrationKind.LINE):
        put_call(session, clock, kind=NAMING, subject_id=row.id, facts={"handle": handle})


def note_line_name(session: Session, *, conversation_id: str, handle: str, name: str) -> None:
    """Set the name of a conversation that has none yet."""
    row = lock_conversations(session, [conversation_id]).get(conversation_id)
    if row is not None and row.name == unnamed_person(handle):
        row.name, row.version = name[:LONGEST_NAME], row.version + 1


_OF_MESSAGES: Final = frozenset({SENDING, FETCHING, FORGETTING})


class TextIn(NamedTuple):
    """The conversation of a call, and the message that the call is about."""

    conversation_id: str
    message_id: str | None


def places_of_calls(session: Session, calls: Sequence[TroubledCall]) -> Mapping[str, TextIn]:
    """Return the place of each call by its id; calls about no message or name are left out."""
    message_ids = {call.subject_id for call in calls if call.kind in _OF_MESSAGES}
    asked = select(GuestMessage.id, GuestMessage.conversation_id)
    messages = {
        message_id: TextIn(conversation_id, message_id)
        for message_id, conversation_id in session.execute(
            asked.where(GuestMessage.id.in_(message_ids))
        )
    }
    named_ids = {call.subject_id for call in calls if call.kind == NAMING}
    known = select(Conversation.id).where(Conversation.id.in_(named_ids))
    conversations = {id_: TextIn(id_, None) for id_ in session.scalars(known)}
    places = {**messages, **conversations}
    return {call.id: places[call.subject_id] for call in calls if call.subject_id in places}
