"""Writes the mail that brings somebody the words of the office."""

from sqlalchemy.orm import Session

from pms.channels.models import Conversation, GuestMessage
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.workspaces.queries import branding


def mail_words(session: Session, clock: Clock, row: Conversation, message: GuestMessage) -> str:
    """Have the words sent in the language of the conversation; return the id of the mail."""
    brand = branding(session)
    mail = mail_text(
        "message",
        row.locale,
        hue=brand.hue,
        operator=brand.name.said(row.locale),
        recipient=row.name,
        words=message.text,
    )
    put = put_mail(session, clock, recipient=message.handle or "", **mail._asdict())
    session.flush()
    return put.id
