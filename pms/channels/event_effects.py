"""The effects of each kind of provider event."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from pms.channels.conversations import Writer, find_conversation
from pms.channels.events import wake_events
from pms.channels.messages import keep_message, known_message, note_failures
from pms.channels.models import InboundEvent
from pms.channels.outgoing import DONE, UNUSED, EventOutcome, current_try, message_of_mark
from pms.channels.payment_events import take_payment_event
from pms.channels.received_mails import take_received_mail
from pms.channels.sending import ask_for_media, ask_line_name, unnamed_person
from pms.channels.taken_back_messages import take_back_message
from pms.contracts.envelope_events import EnvelopeEvent, note_envelope_event
from pms.contracts.envelopes import awaits_envelope, reservation_of_envelope
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.work import Work, lock_leased
from pms.inbox.conversations import lock_ongoing_conversation
from pms.inbox.models import ConversationHandle, GuestMessage
from pms.providers.esign import envelope_news
from pms.providers.line import line_handle, line_message
from pms.providers.ota import (
    booking_name,
    kept_ota_message,
    message_name,
    thread_name,
)
from pms.providers.whatsapp import (
    find_revoked_message,
    whatsapp_failure,
    whatsapp_handles,
    whatsapp_message,
    whatsapp_name,
    whatsapp_phone,
    whatsapp_step,
)
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import (
    Channel,
    InboundState,
    IncomingMessage,
    MessageKind,
    MessageState,
    WebhookSource,
    goes_on,
)
from pms.rules.provider_json import name_within

ESIGN_ACTOR: Final = "webhook/esign"
_LOOKED_FOR: Final = 4
"""Attempts for an event of an unknown document while the id of one is awaited."""


def take_esign_event(session: Session, clock: Clock, event: InboundEvent) -> EventOutcome:
    """Update the document of an event; one of an unknown document is unused at once.

    Only while a document is on its way to the provider, its event may come before its id: that one
    is looked at again.
    """
    try:
        news = envelope_news(event.body)
    except ValueError as unreadable:
        return EventOutcome(InboundState.UNMATCHED, reason=str(unreadable))
    if news.kind not in list(EnvelopeEvent):
        return UNUSED
    reservation_id = reservation_of_envelope(session, news.envelope)
    if reservation_id is None:
        unknown = NotFound("No document belongs to the envelope '{id}'.", id=news.envelope)
        if event.attempts < _LOOKED_FOR and awaits_envelope(session):
            raise unknown
        return EventOutcome(InboundState.UNUSED, reason=unknown.message)
    note_envelope_event(
        Work(session, clock, ESIGN_ACTOR),
        envelope=news.envelope,
        event=EnvelopeEvent(news.kind),
        reason=news.reason,
        signer=news.signer if news.kind == EnvelopeEvent.COMPLETED else None,
        occurred_at=event.occurred_at,
    )
    return EventOutcome(InboundState.DONE, ("reservation", reservation_id))


def take_ota_message(session: Session, clock: Clock, event: InboundEvent) -> EventOutcome:
    """Store the message, unchanged, in the conversation of its writer."""
    message = kept_ota_message(event.body)
    known = known_message(session, Channel.OTA, message.key)
    if known is not None:
        return EventOutcome(InboundState.DONE, ("conversation", known.conversation_id))
    names = []
    if message.conversation_id:
        names.append(thread_name(message.channel, message.conversation_id))
    if message.booking_reference:
        names.append(booking_name(message.channel, message.booking_reference))
    handles = tuple(
        (Channel.OTA, name) for name in names or [message_name(message.channel, message.message_id)]
    )
    writer = Writer(
        handles=handles,
        name=message.guest_name,
        words=message.text,
        booking_reference=message.booking_reference,
    )
    row = find_conversation(session, clock, writer)
    keep_message(
        session,
        clock,
        row,
        event,
        IncomingMessage(MessageKind.TEXT, message.text),
        handle=handles[0],
        external_id=message.key,
        sent_at=message.sent_at,
        booking_reference=message.booking_reference,
        listing=message.listing,
    )
    return EventOutcome(InboundState.DONE, ("conversation", row.id))


LINE_ACTOR: Final = "webhook/line"
_MESSAGE: Final = "message."
_UNSEND: Final = "unsend"
_FOLLOW: Final = "follow"
_UNFOLLOW: Final = "unfollow"


def take_line_event(session: Session, clock: Clock, event: InboundEvent) -> EventOutcome:
    """Apply an event; an event of an unused kind changes nothing."""
    if event.kind.startswith(_MESSAGE):
        return _take_line_message(session, clock, event)
    if event.kind == _UNSEND:
        external_id = name_within(event.body, "unsend", "messageId")
        message = known_message(session, Channel.LINE, external_id or "")
        if message is None:
            return EventOutcome(
                InboundState.UNMATCHED, reason="The unsent message is not available."
            )
        at = event.occurred_at or event.received_at
        take_back_message(Work(session, clock, LINE_ACTOR), message=message, at=at)
        return DONE._replace(subject=("conversation", message.conversation_id))
    handle = line_handle(event.body)
    known = session.scalar(
        select(ConversationHandle).where(
            ConversationHandle.channel == Channel.LINE, ConversationHandle.handle == (handle or "")
        )
    )
    if known is None:
        return UNUSED
    subject = ("conversation", known.conversation_id)
    if event.kind not in {_FOLLOW, _UNFOLLOW}:
        return EventOutcome(InboundState.UNUSED, subject)
    known.is_blocked = event.kind == _UNFOLLOW
    return EventOutcome(InboundState.DONE, subject)


def _take_line_message(session: Session, clock: Clock, event: InboundEvent) -> EventOutcome:
    content, handle = line_message(event.body), line_handle(event.body)
    external_id = name_within(event.body, "message", "id")
    if content is None or handle is None or external_id is None:
        return UNUSED
    known = known_message(session, Channel.LINE, external_id)
    if known is not None:
        return EventOutcome(InboundState.DONE, ("conversation", known.conversation_id))
    by = (Channel.LINE, handle)
    row = find_conversation(
        session, clock, Writer(handles=(by,), name=unnamed_person(handle), words=content.text)
    )
    message = keep_message(session, clock, row, event, content, handle=by, external_id=external_id)
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
    return EventOutcome(InboundState.DONE, ("conversation", row.id))


WHATSAPP_ACTOR: Final = "webhook/whatsapp"

_REVOKE: Final = "message.revoke"
_STATUS: Final = "status."
_NOT_OURS: Final = EventOutcome(
    InboundState.UNUSED, reason="No message that was sent from here has this id."
)

_NOT_HERE: Final = EventOutcome(
    InboundState.UNMATCHED, reason="The unsent message is not available."
)


def take_whatsapp_event(session: Session, clock: Clock, event: InboundEvent) -> EventOutcome:
    """Apply an event; an event of an unused kind changes nothing."""
    if event.kind == _REVOKE:
        external_id, at = find_revoked_message(event.body), event.occurred_at or event.received_at
        written = _written_as(session, event.body)
        for message in written:
            take_back_message(Work(session, clock, WHATSAPP_ACTOR), message=message, at=at)
        if all(message.external_id != external_id for message in written):
            # The event is retried if the message arrives later.
            return _NOT_HERE
        return DONE._replace(subject=("conversation", written[0].conversation_id))
    if event.kind.startswith(_MESSAGE):
        return _take_whatsapp_message(session, clock, event)
    return _take_status(session, event) if event.kind.startswith(_STATUS) else UNUSED


def _take_whatsapp_message(session: Session, clock: Clock, event: InboundEvent) -> EventOutcome:
    content, handles = whatsapp_message(event.body), whatsapp_handles(event.body)
    external_id = name_within(event.body, "message", "id")
    if content is None or not handles or external_id is None:
        return UNUSED
    known = known_message(session, Channel.WHATSAPP, external_id)
    if known is not None:
        return EventOutcome(InboundState.DONE, ("conversation", known.conversation_id))
    phone = whatsapp_phone(event.body)
    writer = Writer(
        handles=tuple((Channel.WHATSAPP, handle) for handle in handles),
        name=whatsapp_name(event.body) or phone or handles[0],
        words=content.text,
        phone=phone,
    )
    row = find_conversation(session, clock, writer)
    message = keep_message(
        session, clock, row, event, content, handle=writer.handles[0], external_id=external_id
    )
    if message is not None:
        ask_for_media(session, clock, message)
        # Apply a deletion that arrived before the message, or before an edit of it.
        ids = {message.external_id}
        if message.is_edit and message.quoted_id is not None:
            ids.add(message.quoted_id)
            first = known_message(session, Channel.WHATSAPP, message.quoted_id)
            if first is not None and first.taken_back_at is not None:
                at = first.taken_back_at
                take_back_message(Work(session, clock, WHATSAPP_ACTOR), message=message, at=at)
        wake_events(
            session,
            clock,
            source=WebhookSource.WHATSAPP,
            kinds=(_REVOKE,),
            is_about=lambda body: find_revoked_message(body) in ids,
        )
    return EventOutcome(InboundState.DONE, ("conversation", row.id))


def _written_as(session: Session, body: Mapping[str, Any]) -> Sequence[GuestMessage]:
    """Return the deleted message of this person, and its edits."""
    external_id = find_revoked_message(body)
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


def _take_status(session: Session, event: InboundEvent) -> EventOutcome:
    """Set the state of a sent message; a status that would go back changes nothing."""
    step = whatsapp_step(event.body)
    if step is None:
        return UNUSED
    # The sent message of a status, by WhatsApp's id or, if unknown, by the try's mark.
    external_id = name_within(event.body, "status", "id") or ""
    sent_message = known_message(session, Channel.WHATSAPP, external_id)
    if sent_message is None:
        asked = select(GuestMessage).where(
            GuestMessage.id == message_of_mark(_read_mark(event)),
            GuestMessage.channel == Channel.WHATSAPP,
            GuestMessage.external_id.is_(None),
        )
        sent_message = session.scalar(asked)
    message = (
        sent_message if sent_message is not None and sent_message.side is TicketSide.STAFF else None
    )
    if message is None:
        # Other systems may send from the same number, so this needs no attention.
        return _NOT_OURS
    row = lock_ongoing_conversation(session, message.conversation_id)
    session.refresh(message)
    subject = ("conversation", row.id)
    # Whether a status is about the current try of the locked message, not an earlier one.
    if message.external_id is not None:
        is_about_now = message.external_id == name_within(event.body, "status", "id")
    else:
        is_about_now = current_try(session, message.id).mark == _read_mark(event)
    if not is_about_now:
        return _NOT_OURS
    if not goes_on(message.state, step):
        return EventOutcome(InboundState.DONE, subject)
    message.state = step
    message.external_id = message.external_id or name_within(event.body, "status", "id")
    has_failed = step is MessageState.FAILED
    message.failure = whatsapp_failure(event.body) if has_failed else None
    note_failures(session, row, is_new=has_failed)
    return EventOutcome(InboundState.DONE, subject)


def _read_mark(event: InboundEvent) -> str:
    return name_within(event.body, "status", "biz_opaque_callback_data") or ""


Taker = Callable[[Session, Clock, InboundEvent], EventOutcome]

TAKERS: Final[Mapping[WebhookSource, Taker]] = {
    WebhookSource.OTA: take_ota_message,
    WebhookSource.LINE: take_line_event,
    WebhookSource.WHATSAPP: take_whatsapp_event,
    WebhookSource.PAYMENTS: take_payment_event,
    WebhookSource.ESIGN: take_esign_event,
    WebhookSource.MAIL: take_received_mail,
}
"""The function that applies the events of each source."""
_LONGEST_REASON: Final = 1_000


def take_event(session: Session, clock: Clock, leased: InboundEvent) -> EventOutcome | None:
    """Apply a leased event and end it; return None when another worker has it.

    An exception rolls back both, so the effects of an ended event were applied exactly once.
    """
    event = lock_leased(session, leased)
    if event is None:
        return None
    outcome = TAKERS[event.source](session, clock, event)
    event.state, event.due_at, event.ended_at = outcome.state, None, clock.now()
    event.failure = outcome.reason and outcome.reason[:_LONGEST_REASON]
    event.subject_kind, event.subject_id = outcome.subject or (None, None)
    session.flush()
    return outcome
