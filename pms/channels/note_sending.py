"""Notes on a message of ours how sending it went."""

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.channels.messages_in_hand import message_in_hand
from pms.channels.models import GuestMessage
from pms.channels.note_message import note_failures
from pms.channels.wake_events import wake_events
from pms.foundation.clock import Clock
from pms.rules.channel_words import Channel, MessageState, WebhookSource
from pms.rules.provider_json import name_within

_BEFORE: frozenset[MessageState] = frozenset({MessageState.WAITING, MessageState.FAILED})
_STATUSES = ("status.sent", "status.delivered", "status.read", "status.failed")


def note_sent(
    session: Session, clock: Clock, *, message_id: str, external_id: str | None = None
) -> None:
    """Note that the provider took it, and what it calls it, so that its statuses are known.

    A status may have come before the answer that names the message: it is taken up now.
    """
    message, row = message_in_hand(session, message_id)
    if external_id is not None and message.external_id is None:
        _name(session, message, external_id)
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
    """Note that the provider will not take it, and why, for a person to see."""
    message, row = message_in_hand(session, message_id)
    if message.state is MessageState.WAITING:
        message.state, message.failure = MessageState.FAILED, failure
        note_failures(session, row, is_new=True)


def _name(session: Session, message: GuestMessage, external_id: str) -> None:
    try:
        with session.begin_nested():
            message.external_id = external_id
    except IntegrityError:
        # A relay that gives one name twice: the message was sent all the same.
        session.refresh(message)
