"""Knows who may be given a task: whoever is on the staff of the workspace."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.rules.enumerations import StaffRole

_STAFF = (
    select(Member.person_id, Person.name, Member.role)
    .join(Person, Person.id == Member.person_id)
    .where(Member.removed_at.is_(None))
)


class Assignee(NamedTuple):
    """A member of staff as a choice."""

    person_id: str
    name: str
    role: StaffRole


def assignees(session: Session) -> Sequence[Assignee]:
    """Return the staff by name."""
    return [Assignee(*row) for row in session.execute(_STAFF.order_by(Person.name, Person.id))]


def known_assignee(session: Session, person_id: str | None) -> str | None:
    """Return the person, nobody for none; raise `Refused` for one who does not work here."""
    if not person_id:
        return None
    is_it = _STAFF.where(Member.person_id == person_id)
    if not is_id(person_id) or session.execute(is_it).first() is None:
        raise Refused("assigneeId: nobody of this id works here.")
    return person_id
