"""Writes the mail that answers a lead."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.enquiries.models import Lead
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.rules.days import day_of
from pms.site.models import Position
from pms.workspaces.queries import branding


def mail_lead(session: Session, clock: Clock, row: Lead, words: str) -> str:
    """Have the words sent, with what was applied for, and return the id of the mail."""
    brand = branding(session)
    mail = mail_text(
        "lead-answer",
        row.locale,
        hue=brand.hue,
        operator=brand.name.said(row.locale),
        recipient=row.name,
        position=_position(session, row),
        words=words,
        asked=row.message,
        received_on=day_of(row.received_at),
    )
    sent = put_mail(session, clock, recipient=row.email, **mail._asdict())
    session.flush()
    return sent.id


def _position(session: Session, row: Lead) -> str | None:
    if row.position_id is None:
        return None
    titles = select(Position.title_ja, Position.title_en).where(Position.id == row.position_id)
    return Bilingual(*session.execute(titles).one()).said(row.locale)
