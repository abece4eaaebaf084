"""Knows who may look after an enquiry or show a unit: whoever works in the office."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.rules.enumerations import StaffRole

_OFFICE: Final = (StaffRole.OPERATOR, StaffRole.OFFICE)
_PEOPLE = (
    select(Member.person_id, Person.name)
    .join(Person, Person.id == Member.person_id)
    .where(Member.removed_at.is_(None), Member.role.in_(_OFFICE))
)


class OfficePerson(NamedTuple):
    """Somebody of the office as a choice."""

    person_id: str
    name: str


def office_people(session: Session) -> Sequence[OfficePerson]:
    """Return those of the office by name."""
    rows = session.execute(_PEOPLE.order_by(Person.name, Person.id))
    return [OfficePerson(*row) for row in rows]


def known_office_person(session: Session, field: str, person_id: str | None) -> str | None:
    """Return the person, nobody for none; raise `Refused` for one who is not of the office."""
    if not person_id:
        return None
    is_it = _PEOPLE.where(Member.person_id == person_id)
    if not is_id(person_id) or session.execute(is_it).first() is None:
        raise Refused("{field}: nobody of this id works in the office.", field=field)
    return person_id
