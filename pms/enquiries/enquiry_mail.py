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


def mail_answer(session: Session, clock: Clock, row: Enquiry, words: str) -> str:
    """Have the words sent, and return the id of the mail.

    Below them stands what was asked, so that nobody has to look for it.
    """
    brand = branding(session)
    mail = mail_text(
        "enquiry-answer",
        row.locale,
        hue=brand.hue,
        operator=brand.name.said(row.locale),
        recipient=row.name,
        home=_home(session, row),
        words=words,
        asked=row.message,
        received_on=day_of(row.received_at),
    )
    sent = put_mail(session, clock, recipient=row.email or "", **mail._asdict())
    session.flush()
    return sent.id


def _home(session: Session, row: Enquiry) -> str | None:
    if row.unit_id:
        question = select(Building.name, Building.name_en, Unit.name).join(Unit.building)
        ja, en, unit = session.execute(question.where(Unit.id == row.unit_id)).one()
        return f"{Bilingual(ja, en).said(row.locale)} {unit}"
    if row.building_id:
        names = select(Building.name, Building.name_en).where(Building.id == row.building_id)
        return Bilingual(*session.execute(names).one()).said(row.locale)
    return None
