"""Gives a person a place in a workspace, by hand: the first operator, the people of the demo."""

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.rules.addresses import folded_address, is_address
from pms.rules.enumerations import StaffRole

_LONGEST_NAME = 100


def add_member(
    session: Session,
    clock: Clock,
    *,
    workspace_id: str,
    email: str,
    name: str | None,
    role: StaffRole,
    locale: str = "ja",
    password_hash: str | None = None,
) -> Member:
    """Return the place just given; the session writes across workspaces.

    Somebody who works elsewhere already keeps name and password. Raises `Refused` for a bad
    address or a missing name, `Collision` for somebody who is a member already.
    """
    person = find_or_add_person(
        session, clock, email=email, name=name, locale=locale, password_hash=password_hash
    )
    if place_of(session, workspace_id, person.id) is not None:
        raise Collision("email: '{email}' is a member already.", email=person.email)
    member = Member(
        workspace_id=workspace_id, person_id=person.id, role=role, accepted_at=clock.now()
    )
    session.add(member)
    session.flush()
    return member


def find_or_add_person(
    session: Session,
    clock: Clock,
    *,
    email: str,
    name: str | None,
    locale: str,
    password_hash: str | None,
) -> Person:
    """Return the person of an address, who is added when nobody has it."""
    address = folded_address(email)
    if not is_address(address):
        raise Refused("email: '{email}' is not an e-mail address.", email=email[:100])
    known = select(Person).where(Person.email == address)
    person = session.scalars(known).first()
    if person is not None:
        return person
    person = Person(
        id=new_id(),
        email=address,
        name=checked_name(name or ""),
        locale=locale,
        password_hash=password_hash,
        created_at=clock.now(),
    )
    try:
        with session.begin_nested():
            session.add(person)
    except IntegrityError:  # somebody else added the same person at the same moment
        return session.scalars(known).one()
    return person


def checked_name(name: str) -> str:
    """Return a name as it is kept; raise `Refused` for none at all."""
    name = name.strip()
    if not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
        raise Refused("name: A name of 1 to {most} characters.", most=_LONGEST_NAME)
    return name


def place_of(session: Session, workspace_id: str, person_id: str) -> Member | None:
    """Return the place a person has in a workspace now."""
    return session.scalars(
        select(Member).where(
            Member.workspace_id == workspace_id,
            Member.person_id == person_id,
            Member.removed_at.is_(None),
        )
    ).first()
