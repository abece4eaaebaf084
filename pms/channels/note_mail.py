"""Notes on a message that went by mail how its mail fared."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import GuestMessage
from pms.channels.note_sending import note_not_sent, note_sent
from pms.foundation.clock import Clock
from pms.foundation.outbox import OutboxMail
from pms.rules.channel_words import Channel


def note_mail(session: Session, clock: Clock, mail: OutboxMail) -> None:
    """Let the message know that its mail left or was given up; other mails are nobody's message."""
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
