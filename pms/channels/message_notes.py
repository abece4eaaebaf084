"""Keeps a conversation in step with its messages: last words, whose turn, failures."""

from datetime import datetime
from typing import Final

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.channels.models import InboundEvent
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.provider_calls import put_call
from pms.foundation.work import Work
from pms.inbox.conversations import conversation_that_goes_on, whose_turn
from pms.inbox.models import Conversation, GuestMessage
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import ConversationState, MessageKind, MessageState, short_words

_TAKEN_BACK: Final = "—"


def note_message(session: Session, clock: Clock, row: Conversation, message: GuestMessage) -> None:
    """Let a locked conversation know a message that was added to it.

    Who wrote waits for the other side, and opens what was done; but what waits for the staff in a
    ticket or an enquiry still does when they write elsewhere. A reaction is no question. Words
    that come late do not push newer ones aside, and a sender's clock that is ahead does not keep
    a conversation on top.
    """
    row.version += 1
    if message.kind is MessageKind.REACTION:
        return
    is_theirs = message.side is TicketSide.RESIDENT
    waits = is_theirs or whose_turn(session, [row.id])[row.id] is TicketSide.STAFF
    row.awaits = TicketSide.STAFF if waits else TicketSide.RESIDENT
    _open(row)
    said_at = min(message.sent_at, clock.now())
    if not row.last_words or said_at >= row.last_message_at:
        row.last_words = short_words(message.kind, message.text, message.media_name)
        row.last_message_at = said_at
        if is_theirs:
            row.channel = message.channel


def note_taken_back(session: Session, row: Conversation, words: str) -> None:
    """Show no words in lists that were taken back; what was said before them stands there again."""
    session.flush()
    row.version += 1
    if row.last_words != words:
        return
    newest = session.scalars(_shown(row.id).limit(1)).first()
    row.last_words = _TAKEN_BACK
    if newest is not None:
        row.last_words = short_words(newest.kind, newest.text, newest.media_name)


def note_failures(session: Session, row: Conversation, *, is_new: bool = False) -> None:
    """Remember whether anything of ours did not arrive.

    What failed only now opens again what was done: whoever closed it took the words for sent.
    """
    if is_new and row.state is ConversationState.DONE:
        _open(row)
        row.awaits = TicketSide.RESIDENT
    session.flush()
    failed = select(GuestMessage.id).where(
        GuestMessage.conversation_id == row.id, GuestMessage.state == MessageState.FAILED
    )
    row.has_failure = session.scalar(failed.limit(1)) is not None
    row.version += 1


def _open(row: Conversation) -> None:
    if row.state is ConversationState.DONE:
        row.state, row.closed_at, row.closed_by = ConversationState.OPEN, None, None


def _shown(conversation_id: str) -> Select[GuestMessage]:
    return (
        select(GuestMessage)
        .where(
            GuestMessage.conversation_id == conversation_id,
            GuestMessage.taken_back_at.is_(None),
            GuestMessage.kind != MessageKind.REACTION,
        )
        .order_by(GuestMessage.sent_at.desc(), GuestMessage.id.desc())
    )


FORGETTING: Final = "channels.file_forgotten"
_KEPT: Final = frozenset({"type", "id"})


def take_back_message(work: Work, *, message: GuestMessage, at: datetime) -> None:
    """Forget what was written, here and in the event that brought it; that it was is kept.

    Taken back a second time changes nothing.
    """
    row = conversation_that_goes_on(work.session, message.conversation_id)
    work.session.refresh(message)
    if message.taken_back_at is not None:
        return
    words = short_words(message.kind, message.text, message.media_name)
    message.taken_back_at = at
    message.text, message.media_name, message.quoted_id = "", None, None
    message.media_id, message.media_failure = None, None
    if message.media_key is not None:
        # The file goes after this is committed: a rolled back forgetting forgets nothing.
        facts = {"file_key": message.media_key}
        put_call(work.session, work.clock, kind=FORGETTING, subject_id=message.id, facts=facts)
        message.media_key = message.media_type = None
    _forget_event(work.session, message.id)
    subject = ("conversation", row.id)
    note_audit_event(
        work,
        AuditEvent.MESSAGE_TAKEN_BACK,
        subject,
        after={"channel": message.channel, "guest_message": message.id},
    )
    note_taken_back(work.session, row, words)


def _forget_event(session: Session, message_id: str) -> None:
    """A message has the id of the event that brought it."""
    event = session.scalar(select(InboundEvent).where(InboundEvent.id == message_id))
    told = event.body.get("message") if event is not None else None
    if event is not None and isinstance(told, dict):
        message = {name: value for name, value in told.items() if name in _KEPT}
        event.body = {**event.body, "message": message}
