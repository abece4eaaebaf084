"""Members of a workspace: adding, listing, naming and removing them, and their roles."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound, Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.mail_addresses import check_address
from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.tenancy import OfWorkspace, workspace_of
from pms.foundation.work import Work, locked
from pms.rules.addresses import folded_address
from pms.rules.audit_events import AuditEvent
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
    building_ids: Collection[str] | None = None,
) -> Member:
    """Return a new member; the session writes across workspaces.

    A person who is a member elsewhere keeps name and password. Raises `Refused` for a bad address,
    a missing name and what `check_buildings` refuses, `Collision` for who is a member already.
    """
    person = find_or_add_person(
        session, clock, email=email, name=name, locale=locale, password_hash=password_hash
    )
    if place_of(session, workspace_id, person.id) is not None:
        raise Collision("email: '{email}' is already a member.", email=person.email)
    member = Member(
        workspace_id=workspace_id,
        person_id=person.id,
        role=role,
        accepted_at=clock.now(),
        building_ids=check_buildings(role, building_ids),
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


def refuse_unseen(
    session: Session, field: str, person_id: str, model: type[OfWorkspace], id_: str
) -> None:
    """Raise `Refused` for a member who would not see a row because of the buildings they work for."""
    workspace_id = workspace_of(session)
    member = place_of(session, workspace_id, person_id)
    if member is None or member.building_ids is None:
        return
    is_seen = model.is_of_buildings(workspace_id, member.building_ids)
    if session.scalar(select(model.id).where(model.id == id_, is_seen)) is None:
        raise Refused(
            "{field}: {name} works for other buildings and would not see this.",
            field=field,
            name=session.get_one(Person, person_id).name,
        )


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
    building_ids: Sequence[str] | None
    """The buildings the member works for; `None` for all."""


_MEMBERS = (
    select(
        Member.id,
        Member.person_id,
        Person.name,
        Person.email,
        Member.role,
        Member.accepted_at,
        Person.factor_confirmed_at.is_not(None),
        Member.building_ids,
    )
    .join(Person, Person.id == Member.person_id)
    .where(Member.removed_at.is_(None))
)


def members(session: Session) -> Sequence[MemberOfStaff]:
    """Return the members of the session's workspace by name."""
    rows = session.execute(_MEMBERS.order_by(Person.name, Person.email))
    return [MemberOfStaff(*row) for row in rows]


def member_of(session: Session, member_id: str) -> MemberOfStaff:
    """Return one member of the session's workspace; raise `NotFound` for an unknown id."""
    row = (
        session.execute(_MEMBERS.where(Member.id == member_id)).first()
        if is_id(member_id)
        else None
    )
    if row is None:
        raise no_such("member")
    return MemberOfStaff(*row)


def member_of_address(session: Session, address: str) -> MemberOfStaff:
    """Return the member of the session's workspace who has a folded address."""
    row = session.execute(_MEMBERS.where(Person.email == address)).first()
    if row is None:
        raise NotFound("'{email}' is not a member.", email=address[:100])
    return MemberOfStaff(*row)


def member_to_change(session: Session, member_id: str, becomes: StaffRole | None) -> Member:
    """Return the member, locked together with all operators of the workspace.

    Raises `NotFound` for an unknown id, `Refused` when no operator would be left.
    """
    operators = session.scalars(
        select(Member)
        .where(Member.removed_at.is_(None), Member.role == StaffRole.OPERATOR)
        .order_by(Member.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).all()
    wanted = select(Member).where(Member.id == member_id, Member.removed_at.is_(None))
    member = session.scalars(wanted.with_for_update()).first() if is_id(member_id) else None
    if member is None:
        raise no_such("member")
    if becomes is not StaffRole.OPERATOR and [row.id for row in operators] == [member.id]:
        raise Refused(
            "role: You cannot remove the last operator. First make someone else an operator."
        )
    return member


def check_buildings(role: StaffRole, building_ids: Collection[str] | None) -> list[str] | None:
    """Return the buildings of a member as they are stored; `None` is all of them.

    Raises `Refused` for none at all, and for an operator, who decides for all buildings.
    """
    if building_ids is None:
        return None
    if role is StaffRole.OPERATOR:
        raise Refused("buildingIds: operators work for all buildings. Choose another role.")
    if not building_ids:
        raise Refused("buildingIds: choose at least one building.")
    return sorted(set(building_ids))


def bind_member(work: Work, member_id: str, building_ids: Collection[str] | None) -> Member:
    """Let a member work for some buildings alone, or for all with `None`; return the member.

    The caller found the buildings. Raises what `check_buildings` does.
    """
    member = locked(
        work.session,
        Member,
        member_id,
        within=lambda asked: asked.where(Member.removed_at.is_(None)),
    )
    buildings = check_buildings(member.role, building_ids)
    if buildings != member.building_ids:
        member.building_ids = buildings
        note_change(work, AuditEvent.MEMBER_BUILDINGS_CHANGED, member)
        work.session.flush()
    return member


def change_role(work: Work, member_id: str, role: StaffRole) -> Member:
    """Change and return the member; raise `Refused` when no operator would be left.

    A member who becomes an operator works for all buildings.
    """
    member = member_to_change(work.session, member_id, role)
    if member.role is not role:
        member.role = role
        if role is StaffRole.OPERATOR:
            member.building_ids = None
        member.role_changed_at, member.role_changed_by = work.clock.now(), work.actor
        note_change(work, AuditEvent.MEMBER_ROLE_CHANGED, member)
        work.session.flush()
    return member


def remove_member(work: Work, member_id: str) -> Member:
    """Remove and return the member; raise `Refused` when no operator would be left.

    The person and their memberships of other workspaces stay.
    """
    member = member_to_change(work.session, member_id, None)
    member.removed_at, member.removed_by = work.clock.now(), work.actor
    note_change(work, AuditEvent.MEMBER_REMOVED, member)
    work.session.flush()
    return member
