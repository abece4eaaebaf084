"""Mails to members of staff, each in the person's own language."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import MailText, mail_text
from pms.foundation.outbox import put_mail
from pms.rules.enumerations import StaffRole
from pms.workspaces.queries import branding


def people_with_roles(session: Session, roles: Collection[StaffRole]) -> Sequence[Person]:
    """Return the people of the session's workspace with any of the roles, by address.

    Members of some buildings are left out: what is told so is of all of them.
    """
    asked = (
        select(Person, Member.building_ids)
        .join(Member, Member.person_id == Person.id)
        .where(Member.removed_at.is_(None), Member.role.in_(roles), Person.deactivated_at.is_(None))
        .order_by(Person.email)
    )
    return [row.Person for row in session.execute(asked) if row.building_ids is None]


def write_to_person(session: Session, person: Person, occasion: str, **facts: Any) -> MailText:
    """Return a mail to a member of staff; its template is that of the occasion."""
    brand = branding(session)
    return mail_text(
        occasion,
        person.locale,
        hue=brand.hue,
        operator=brand.name.in_language(person.locale),
        name=person.name,
        **facts,
    )


def mail_person(
    session: Session, clock: Clock, person: Person, occasion: str, **facts: Any
) -> None:
    """Put a mail to a member of staff into the outbox."""
    text = write_to_person(session, person, occasion, **facts)
    put_mail(session, clock, recipient=person.email, **text._asdict())
