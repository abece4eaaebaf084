"""Writes the mail that answers an enquiry."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.enquiries.models import Enquiry
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.rules.days import day_of
from pms.workspaces.queries import branding


def mail_answer(
    session: Session, clock: Clock, row: Enquiry, words: str, locale: str | None = None
) -> str:
    """Have the words sent, and return the id of the mail.

    Below them stands what was asked, so that nobody has to look for it.
    """
    brand, language = branding(session), locale or row.locale
    mail = mail_text(
        "enquiry-answer",
        language,
        hue=brand.hue,
        operator=brand.name.said(language),
        recipient=row.name,
        home=_home(session, row, language),
        words=words,
        asked=row.message,
        received_on=day_of(row.received_at),
    )
    sent = put_mail(session, clock, recipient=row.email or "", **mail._asdict())
    session.flush()
    return sent.id


def _home(session: Session, row: Enquiry, language: str) -> str | None:
    if row.unit_id:
        question = select(Building.name, Building.name_en, Unit.name).join(Unit.building)
        ja, en, unit = session.execute(question.where(Unit.id == row.unit_id)).one()
        return f"{Bilingual(ja, en).said(language)} {unit}"
    if row.building_id:
        names = select(Building.name, Building.name_en).where(Building.id == row.building_id)
        return Bilingual(*session.execute(names).one()).said(language)
    return None
