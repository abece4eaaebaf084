"""Takes up an event of LINE: a message, one taken back, somebody who follows or blocks us."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.ask_line_name import ask_line_name, unnamed
from pms.channels.fetch_media import ask_for_media
from pms.channels.find_conversation import Writer, find_conversation
from pms.channels.keep_message import keep_message, known_message
from pms.channels.models import ConversationHandle, InboundEvent
from pms.channels.outcome import DONE, UNUSED, Outcome
from pms.channels.take_back_message import take_back_message
from pms.channels.wake_events import wake_events
from pms.foundation.clock import Clock
from pms.rules.channel_words import Channel, InboundState, WebhookSource
from pms.rules.line_messages import line_handle, line_message
from pms.rules.provider_json import name_within

ACTOR: Final = "webhook/line"
_MESSAGE: Final = "message."
_UNSEND: Final = "unsend"
_FOLLOW: Final = "follow"
_UNFOLLOW: Final = "unfollow"


def take_line_event(session: Session, clock: Clock, event: InboundEvent) -> Outcome:
    """Do what an event asks for; a kind that is not used here stays as it came."""
    if event.kind.startswith(_MESSAGE):
        return _take_message(session, clock, event)
    if event.kind == _UNSEND:
        return _take_back(session, clock, event)
    known = _known(session, event)
    if known is None:
        return UNUSED
    subject = ("conversation", known.conversation_id)
    if event.kind not in {_FOLLOW, _UNFOLLOW}:
        return Outcome(InboundState.UNUSED, subject)
    known.is_blocked = event.kind == _UNFOLLOW
    return Outcome(InboundState.DONE, subject)


def _take_message(session: Session, clock: Clock, event: InboundEvent) -> Outcome:
    told, handle = line_message(event.body), line_handle(event.body)
    external_id = name_within(event.body, "message", "id")
    if told is None or handle is None or external_id is None:
        return UNUSED
    known = known_message(session, Channel.LINE, external_id)
    if known is not None:
        return Outcome(InboundState.DONE, ("conversation", known.conversation_id))
    by = (Channel.LINE, handle)
    row = find_conversation(
        session, clock, Writer(handles=(by,), name=unnamed(handle), words=told.text)
    )
    message = keep_message(session, clock, row, event, told, handle=by, external_id=external_id)
    if message is not None:
        ask_for_media(session, clock, message)
        ask_line_name(session, clock, row, handle)
        wake_events(
            session,
            clock,
            source=WebhookSource.LINE,
            kinds=(_UNSEND,),
            is_about=lambda body: name_within(body, "unsend", "messageId") == external_id,
        )
    return Outcome(InboundState.DONE, ("conversation", row.id))


def _take_back(session: Session, clock: Clock, event: InboundEvent) -> Outcome:
    external_id = name_within(event.body, "unsend", "messageId")
    message = known_message(session, Channel.LINE, external_id or "")
    if message is None:
        return Outcome(
            InboundState.UNMATCHED, reason="The message that was taken back is not here."
        )
    at = event.occurred_at or event.received_at
    take_back_message(session, clock, ACTOR, message=message, at=at)
    return DONE._replace(subject=("conversation", message.conversation_id))


def _known(session: Session, event: InboundEvent) -> ConversationHandle | None:
    handle = line_handle(event.body)
    return session.scalar(
        select(ConversationHandle).where(
            ConversationHandle.channel == Channel.LINE, ConversationHandle.handle == (handle or "")
        )
    )
