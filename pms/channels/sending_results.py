"""What became of a sent message."""

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.channels.events import wake_events
from pms.channels.inbox_items import lock_message
from pms.channels.messages import note_failures
from pms.foundation.clock import Clock
from pms.foundation.outbox import OutboxMail
from pms.inbox.models import GuestMessage
from pms.rules.message_words import Channel, MessageState, WebhookSource
from pms.rules.provider_json import name_within

_BEFORE: frozenset[MessageState] = frozenset({MessageState.WAITING, MessageState.FAILED})
_STATUSES = ("status.sent", "status.delivered", "status.read", "status.failed")


def note_sent(
    session: Session, clock: Clock, *, message_id: str, external_id: str | None = None
) -> None:
    """Note that the provider accepted the message, with its id for later status events.

    A status event that arrived before this id is applied now.
    """
    message, row = lock_message(session, message_id)
    if external_id is not None and message.external_id is None:
        try:
            with session.begin_nested():
                message.external_id = external_id
        except IntegrityError:
            # A relay returned an id that is taken already; the message was sent nevertheless.
            session.refresh(message)
    if message.state in _BEFORE:
        message.state, message.failure = MessageState.SENT, None
        note_failures(session, row)
    if message.channel is Channel.WHATSAPP and external_id is not None:
        wake_events(
            session,
            clock,
            source=WebhookSource.WHATSAPP,
            kinds=_STATUSES,
            is_about=lambda body: name_within(body, "status", "id") == external_id,
        )


def note_not_sent(session: Session, *, message_id: str, failure: str) -> None:
    """Note that the provider rejected the message, and why, for a person to see."""
    message, row = lock_message(session, message_id)
    if message.state is MessageState.WAITING:
        message.state, message.failure = MessageState.FAILED, failure
        note_failures(session, row, is_new=True)


def note_mail(session: Session, clock: Clock, mail: OutboxMail) -> None:
    """Update the message of a mail that was sent or given up; other mails are ignored."""
    asked = select(GuestMessage.id).where(
        GuestMessage.channel == Channel.MAIL, GuestMessage.external_id == mail.id
    )
    message_id = session.scalar(asked)
    if message_id is None:
        return
    if mail.sent_at is not None:
        note_sent(session, clock, message_id=message_id)
    elif mail.given_up_at is not None:
        note_not_sent(session, message_id=message_id, failure=mail.failure or "")
