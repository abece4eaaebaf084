"""Takes up an event of WhatsApp: a message, one deleted by its writer, or how one of ours stands."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from pms.channels.fetch_media import ask_for_media
from pms.channels.find_conversation import Writer, find_conversation
from pms.channels.keep_message import keep_message, known_message
from pms.channels.models import ConversationHandle, GuestMessage, InboundEvent
from pms.channels.note_message import conversation_that_goes_on, note_failures
from pms.channels.outcome import DONE, UNUSED, Outcome
from pms.channels.sending_tries import current_try, message_of_mark
from pms.channels.take_back_message import take_back_message
from pms.channels.wake_events import wake_events
from pms.foundation.clock import Clock
from pms.rules.channel_words import Channel, InboundState, MessageState, WebhookSource
from pms.rules.enumerations import TicketSide
from pms.rules.provider_json import name_within
from pms.rules.told_messages import goes_on
from pms.rules.whatsapp_messages import (
    whatsapp_failure,
    whatsapp_handles,
    whatsapp_message,
    whatsapp_name,
    whatsapp_phone,
    whatsapp_revoked,
    whatsapp_step,
)

ACTOR: Final = "webhook/whatsapp"
_MESSAGE: Final = "message."
_REVOKE: Final = "message.revoke"
_STATUS: Final = "status."
_NOT_OURS: Final = Outcome(
    InboundState.UNUSED, reason="No message that was sent from here has this id."
)

_NOT_HERE: Final = Outcome(
    InboundState.UNMATCHED, reason="The message that was taken back is not here."
)


def take_whatsapp_event(session: Session, clock: Clock, event: InboundEvent) -> Outcome:
    """Do what an event asks for; a kind that is not used here stays as it came."""
    if event.kind == _REVOKE:
        return _take_back(session, clock, event)
    if event.kind.startswith(_MESSAGE):
        return _take_message(session, clock, event)
    return _take_status(session, event) if event.kind.startswith(_STATUS) else UNUSED


def _take_message(session: Session, clock: Clock, event: InboundEvent) -> Outcome:
    told, handles = whatsapp_message(event.body), whatsapp_handles(event.body)
    external_id = name_within(event.body, "message", "id")
    if told is None or not handles or external_id is None:
        return UNUSED
    known = known_message(session, Channel.WHATSAPP, external_id)
    if known is not None:
        return Outcome(InboundState.DONE, ("conversation", known.conversation_id))
    phone = whatsapp_phone(event.body)
    writer = Writer(
        handles=tuple((Channel.WHATSAPP, handle) for handle in handles),
        name=whatsapp_name(event.body) or phone or handles[0],
        words=told.text,
        phone=phone,
    )
    row = find_conversation(session, clock, writer)
    message = keep_message(
        session, clock, row, event, told, handle=writer.handles[0], external_id=external_id
    )
    if message is not None:
        ask_for_media(session, clock, message)
        _follow_deletion(session, clock, message)
    return Outcome(InboundState.DONE, ("conversation", row.id))


def _take_back(session: Session, clock: Clock, event: InboundEvent) -> Outcome:
    """Forget a message that its writer deleted, and the words it was edited to."""
    external_id, at = whatsapp_revoked(event.body), event.occurred_at or event.received_at
    written = _written_as(session, event.body)
    for message in written:
        take_back_message(session, clock, ACTOR, message=message, at=at)
    if all(message.external_id != external_id for message in written):
        # Taken up again should the message still come.
        return _NOT_HERE
    return DONE._replace(subject=("conversation", written[0].conversation_id))


def _written_as(session: Session, body: Mapping[str, Any]) -> Sequence[GuestMessage]:
    """The message that is deleted, as the person wrote it here, and its edits."""
    external_id = whatsapp_revoked(body)
    own = select(ConversationHandle.conversation_id).where(
        ConversationHandle.channel == Channel.WHATSAPP,
        ConversationHandle.handle.in_(whatsapp_handles(body)),
    )
    is_edit = and_(GuestMessage.is_edit, GuestMessage.quoted_id == external_id)
    asked = select(GuestMessage).where(
        GuestMessage.conversation_id.in_(own),
        GuestMessage.channel == Channel.WHATSAPP,
        GuestMessage.side == TicketSide.RESIDENT,
        or_(GuestMessage.external_id == external_id, is_edit),
    )
    return session.scalars(asked.order_by(GuestMessage.sent_at, GuestMessage.id)).all()


def _follow_deletion(session: Session, clock: Clock, message: GuestMessage) -> None:
    """Have a deletion taken up that came before the message, or before words it was edited to."""
    ids = {message.external_id}
    if message.is_edit and message.quoted_id is not None:
        ids.add(message.quoted_id)
        first = known_message(session, Channel.WHATSAPP, message.quoted_id)
        if first is not None and first.taken_back_at is not None:
            at = first.taken_back_at
            take_back_message(session, clock, ACTOR, message=message, at=at)
    wake_events(
        session,
        clock,
        source=WebhookSource.WHATSAPP,
        kinds=(_REVOKE,),
        is_about=lambda body: whatsapp_revoked(body) in ids,
    )


def _take_status(session: Session, event: InboundEvent) -> Outcome:
    """Note how a message of ours stands; what would lead back changes nothing."""
    step = whatsapp_step(event.body)
    if step is None:
        return UNUSED
    message = _ours(session, event)
    if message is None:
        # Others may write from the same number, a console for instance: nobody need look.
        return _NOT_OURS
    row = conversation_that_goes_on(session, message.conversation_id)
    session.refresh(message)
    subject = ("conversation", row.id)
    if not _is_about_now(session, message, event):
        return _NOT_OURS
    if not goes_on(message.state, step):
        return Outcome(InboundState.DONE, subject)
    message.state = step
    message.external_id = message.external_id or name_within(event.body, "status", "id")
    has_failed = step is MessageState.FAILED
    message.failure = whatsapp_failure(event.body) if has_failed else None
    note_failures(session, row, is_new=has_failed)
    return Outcome(InboundState.DONE, subject)


def _ours(session: Session, event: InboundEvent) -> GuestMessage | None:
    """The message a status is about: by WhatsApp's id, or by our own where its answer was lost."""
    external_id = name_within(event.body, "status", "id") or ""
    message = known_message(session, Channel.WHATSAPP, external_id)
    if message is None:
        asked = select(GuestMessage).where(
            GuestMessage.id == message_of_mark(_mark(event)),
            GuestMessage.channel == Channel.WHATSAPP,
            GuestMessage.external_id.is_(None),
        )
        message = session.scalar(asked)
    return message if message is not None and message.side is TicketSide.STAFF else None


def _is_about_now(session: Session, message: GuestMessage, event: InboundEvent) -> bool:
    """Whether a status is of the try the locked message is at, not of one that failed before."""
    if message.external_id is not None:
        return message.external_id == name_within(event.body, "status", "id")
    return current_try(session, message.id).mark == _mark(event)


def _mark(event: InboundEvent) -> str:
    return name_within(event.body, "status", "biz_opaque_callback_data") or ""
