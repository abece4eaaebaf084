"""Members of a workspace as they are listed and named."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.errors import NotFound, no_such
from pms.foundation.ids import is_id
from pms.foundation.prepared import PreparedInWorkspace
from pms.rules.enumerations import StaffRole

_NAMES: Final = PreparedInWorkspace(
    select(Person.id, Person.name).join(Member, Member.person_id == Person.id)
)


def staff_names(session: Session) -> Mapping[str, str]:
    """Return names by person, former members included."""
    return {row[0]: row[1] for row in _NAMES.all(session)}


class MemberOfStaff(NamedTuple):
    """A member of the session's workspace as the list of people shows them."""

    id: str
    person_id: str
    name: str
    email: str
    role: StaffRole
    accepted_at: datetime
    has_second_factor: bool


_MEMBERS = (
    select(
        Member.id,
        Member.person_id,
        Person.name,
        Person.email,
        Member.role,
        Member.accepted_at,
        Person.factor_confirmed_at.is_not(None),
    )
    .join(Person, Person.id == Member.person_id)
    .where(Member.removed_at.is_(None))
)


def members(session: Session) -> Sequence[MemberOfStaff]:
    """Return the members of the session's workspace by name."""
    rows = session.execute(_MEMBERS.order_by(Person.name, Person.email))
    return [MemberOfStaff(*row[:6], bool(row[6])) for row in rows]


def member_of(session: Session, member_id: str) -> MemberOfStaff:
    """Return one member of the session's workspace; raise `NotFound` for an unknown id."""
    row = (
        session.execute(_MEMBERS.where(Member.id == member_id)).first()
        if is_id(member_id)
        else None
    )
    if row is None:
        raise no_such("member")
    return MemberOfStaff(*row[:6], bool(row[6]))


def member_of_address(session: Session, address: str) -> MemberOfStaff:
    """Return the member of the session's workspace who has a folded address."""
    row = session.execute(_MEMBERS.where(Person.email == address)).first()
    if row is None:
        raise NotFound("'{email}' is not a member.", email=address[:100])
    return MemberOfStaff(*row[:6], bool(row[6]))
