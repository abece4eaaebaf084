"""Messages that their sender took back."""

from datetime import datetime
from typing import Final

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.channels.models import InboundEvent
from pms.foundation.audit import note_audit_event
from pms.foundation.outbox import put_call
from pms.foundation.work import Work
from pms.inbox.conversations import lock_ongoing_conversation
from pms.inbox.models import Conversation, GuestMessage
from pms.rules.audit_events import AuditEvent
from pms.rules.message_words import (
    MessageKind,
    short_words,
)

_TAKEN_BACK: Final = "—"


def note_taken_back(session: Session, row: Conversation, words: str) -> None:
    """Remove deleted words from lists; the newest remaining words are shown again."""
    session.flush()
    row.version += 1
    if row.last_words != words:
        return
    newest = session.scalars(_select_shown_messages(row.id).limit(1)).first()
    row.last_words = _TAKEN_BACK
    if newest is not None:
        row.last_words = short_words(newest.kind, newest.text, newest.media_name)


def _select_shown_messages(conversation_id: str) -> Select[GuestMessage]:
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
    """Delete the content of a message and of its event; the fact that it was sent is kept.

    A repetition changes nothing.
    """
    row = lock_ongoing_conversation(work.session, message.conversation_id)
    work.session.refresh(message)
    if message.taken_back_at is not None:
        return
    words = short_words(message.kind, message.text, message.media_name)
    message.taken_back_at = at
    message.text, message.media_name, message.quoted_id = "", None, None
    message.media_id, message.media_failure = None, None
    if message.media_key is not None:
        # The file is deleted after the commit, so that a rollback keeps it.
        facts = {"file_key": message.media_key}
        put_call(work.session, work.clock, kind=FORGETTING, subject_id=message.id, facts=facts)
        message.media_key = message.media_type = None
    # Delete the content of the event that brought the message; both have the same id.
    message_id = message.id
    event = work.session.scalar(select(InboundEvent).where(InboundEvent.id == message_id))
    content = event.body.get("message") if event is not None else None
    if event is not None and isinstance(content, dict):
        event_message = {name: value for name, value in content.items() if name in _KEPT}
        event.body = {**event.body, "message": event_message}
    subject = ("conversation", row.id)
    note_audit_event(
        work,
        AuditEvent.MESSAGE_TAKEN_BACK,
        subject,
        after={"channel": message.channel, "guest_message": message.id},
    )
    note_taken_back(work.session, row, words)
