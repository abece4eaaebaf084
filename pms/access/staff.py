"""Questions about people on a staff, before a workspace is known and within one."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.enumerations import StaffRole


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


def staff_member(session: Session, address: str, *, for_update: bool = False) -> Person | None:
    """Return the person of a folded address who works in any workspace at all."""
    works = select(Member.id).where(Member.person_id == Person.id, Member.removed_at.is_(None))
    wanted = select(Person).where(
        Person.email == address, Person.deactivated_at.is_(None), works.exists()
    )
    if for_update:
        wanted = wanted.with_for_update().execution_options(populate_existing=True)
    return session.scalars(wanted).first()


def members(session: Session) -> Sequence[MemberOfStaff]:
    """Return the members of the session's workspace by name."""
    rows = session.execute(_MEMBERS.order_by(Person.name, Person.email))
    return [MemberOfStaff(*row[:6], bool(row[6])) for row in rows]


def member_of(session: Session, member_id: str) -> MemberOfStaff:
    """Return one member of the session's workspace; raise `NotFound` for anyone else."""
    row = (
        session.execute(_MEMBERS.where(Member.id == member_id)).first()
        if is_id(member_id)
        else None
    )
    if row is None:
        raise NotFound("There is no such member.")
    return MemberOfStaff(*row[:6], bool(row[6]))


def member_of_address(session: Session, address: str) -> MemberOfStaff:
    """Return the member of the session's workspace who has a folded address."""
    row = session.execute(_MEMBERS.where(Person.email == address)).first()
    if row is None:
        raise NotFound("'{email}' is no member.", email=address[:100])
    return MemberOfStaff(*row[:6], bool(row[6]))
