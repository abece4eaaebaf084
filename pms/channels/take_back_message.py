"""Marks a message as taken back by whoever wrote it, and forgets its words and its file."""

from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import GuestMessage, InboundEvent
from pms.channels.note_message import conversation_that_goes_on, note_taken_back
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.provider_calls import put_call
from pms.rules.deeds import Deed
from pms.rules.told_messages import short_words

FORGETTING: Final = "channels.file_forgotten"
_KEPT: Final = frozenset({"type", "id"})


def take_back_message(
    session: Session, clock: Clock, actor: str, *, message: GuestMessage, at: datetime
) -> None:
    """Forget what was written, here and in the event that brought it; that it was is kept.

    Taken back a second time changes nothing.
    """
    row = conversation_that_goes_on(session, message.conversation_id)
    session.refresh(message)
    if message.taken_back_at is not None:
        return
    words = short_words(message.kind, message.text, message.media_name)
    message.taken_back_at = at
    message.text, message.media_name, message.quoted_id = "", None, None
    message.media_id, message.media_failure = None, None
    if message.media_key is not None:
        # The file goes after this is committed: a rolled back forgetting forgets nothing.
        facts = {"file_key": message.media_key}
        put_call(session, clock, kind=FORGETTING, subject_id=message.id, facts=facts)
        message.media_key = message.media_type = None
    _forget_event(session, message.id)
    subject = ("conversation", row.id)
    note_deed(
        session,
        clock,
        actor,
        Deed.MESSAGE_TAKEN_BACK,
        subject,
        after={"channel": message.channel, "guest_message": message.id},
    )
    note_taken_back(session, row, words)


def _forget_event(session: Session, message_id: str) -> None:
    """A message has the id of the event that brought it."""
    event = session.scalar(select(InboundEvent).where(InboundEvent.id == message_id))
    told = event.body.get("message") if event is not None else None
    if event is not None and isinstance(told, dict):
        message = {name: value for name, value in told.items() if name in _KEPT}
        event.body = {**event.body, "message": message}
