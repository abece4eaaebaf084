"""Writes the mail that brings a resident what the staff said in their ticket."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.reservations.models import Reservation
from pms.upkeep.models import Ticket
from pms.workspaces.queries import branding

_HOME = (
    select(
        Reservation.name,
        Reservation.email,
        Reservation.locale,
        Unit.name,
        Building.name,
        Building.name_en,
    )
    .join(Unit, (Unit.workspace_id == Reservation.workspace_id) & (Unit.id == Reservation.unit_id))
    .join(Unit.building)
)


def mail_ticket(
    session: Session, clock: Clock, ticket: Ticket, words: str, language: str | None = None
) -> bool:
    """Have the words sent in the resident's language; `False` when no address is recorded.

    `language` is theirs where it is known better than from the reservation.

    The mail carries the words, the subject and the home, no link and no code.
    """
    name, email, locale, unit, ja, en = session.execute(
        _HOME.where(Reservation.id == ticket.reservation_id)
    ).one()
    if not email:
        return False
    brand, locale = branding(session), language or locale
    mail = mail_text(
        "ticket",
        locale,
        hue=brand.hue,
        operator=brand.name.said(locale),
        recipient=name,
        home=f"{Bilingual(ja, en).said(locale)} {unit}",
        subject=" ".join(ticket.subject.split()),
        words=words,
    )
    put_mail(session, clock, recipient=email, **mail._asdict())
    return True
