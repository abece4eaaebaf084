"""People of a staff: adding them to a workspace, their names and languages."""

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_addresses import check_address
from pms.rules.addresses import folded_address
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
    """Return a new member; the session writes across workspaces.

    A person who is a member elsewhere keeps name and password. Raises `Refused` for a bad address
    or a missing name, `Collision` for a person who is a member already.
    """
    person = find_or_add_person(
        session, clock, email=email, name=name, locale=locale, password_hash=password_hash
    )
    if place_of(session, workspace_id, person.id) is not None:
        raise Collision("email: '{email}' is already a member.", email=person.email)
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
    """Return the person of an address; a new one is added when nobody has it."""
    address = folded_address(check_address("email", email))
    known = select(Person).where(Person.email == address)
    person = session.scalars(known).first()
    if person is not None:
        return person
    person = Person(
        id=new_id(),
        email=address,
        name=check_name(name or ""),
        locale=locale,
        password_hash=password_hash,
        created_at=clock.now(),
    )
    try:
        with session.begin_nested():
            session.add(person)
    except IntegrityError:  # the person was added concurrently
        return session.scalars(known).one()
    return person


def check_name(name: str) -> str:
    """Return a name in its stored form; raise `Refused` for an empty one."""
    name = name.strip()
    if not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
        raise Refused("name: Enter a name of 1 to {most} characters.", most=_LONGEST_NAME)
    return name


def place_of(session: Session, workspace_id: str, person_id: str) -> Member | None:
    """Return a person's present membership of a workspace."""
    return session.scalars(
        select(Member).where(
            Member.workspace_id == workspace_id,
            Member.person_id == person_id,
            Member.removed_at.is_(None),
        )
    ).first()


LOCALES = ("ja", "en")


def change_profile(session: Session, person_id: str, *, name: str, locale: str) -> Person:
    """Update and return the person; raise `Refused` for an empty name or an unknown language."""
    if locale not in LOCALES:
        raise Refused("locale: '{locale}' is not one of ja, en.", locale=locale[:20])
    person = session.get_one(Person, person_id, with_for_update=True)
    person.name, person.locale = check_name(name), locale
    session.flush()
    return person


def staff_member(session: Session, address: str, *, for_update: bool = False) -> Person | None:
    """Return the person with a folded address who is a member of any workspace."""
    works = select(Member.id).where(Member.person_id == Person.id, Member.removed_at.is_(None))
    wanted = select(Person).where(
        Person.email == address, Person.deactivated_at.is_(None), works.exists()
    )
    if for_update:
        wanted = wanted.with_for_update().execution_options(populate_existing=True)
    return session.scalars(wanted).first()
