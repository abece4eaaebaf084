"""Finds who holds a session; on the path of every page behind a door."""

from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.orm import Session

from pms.access.models import DoorSession, Member, Person
from pms.foundation.prepared import Prepared, Row
from pms.foundation.tokens import token_hash
from pms.rules.enumerations import Door, Proof, StaffRole
from pms.workspaces.models import Workspace

_HOLDER = (
    DoorSession.id,
    DoorSession.door,
    DoorSession.address,
    DoorSession.proof,
    DoorSession.created_at,
    DoorSession.last_seen_at,
    DoorSession.expires_at,
    DoorSession.waits_for_factor,
    DoorSession.workspace_id,
    DoorSession.person_id,
    Person.name,
    Person.locale,
)
_MEMBERSHIP = (
    Workspace.id,
    Workspace.slug,
    Workspace.name,
    Workspace.name_en,
    Member.role,
    Workspace.brand_hue,
    Workspace.logo_file_key,
)
_FIND = Prepared(
    select(*_HOLDER, *_MEMBERSHIP)
    .select_from(DoorSession)
    .outerjoin(Person, Person.id == DoorSession.person_id)
    .outerjoin(Member, (Member.person_id == Person.id) & Member.removed_at.is_(None))
    .outerjoin(Workspace, Workspace.id == Member.workspace_id)
    .where(
        DoorSession.token_hash == bindparam("token_hash"),
        DoorSession.revoked_at.is_(None),
        Person.deactivated_at.is_(None),
    )
)


class Membership(NamedTuple):
    """A workspace somebody works in, and as what."""

    workspace_id: str
    slug: str
    name: str
    name_en: str | None
    role: StaffRole
    brand_hue: int
    logo_file_key: str | None


class FoundSession(NamedTuple):
    """A live session and whose it is: a person with memberships, or an address in a workspace."""

    id: str
    door: Door
    address: str
    proof: Proof
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    waits_for_factor: bool
    workspace_id: str | None
    person_id: str | None
    name: str | None
    locale: str | None
    memberships: tuple[Membership, ...]


def find_session(connection: Connection, token: str, now: datetime) -> FoundSession | None:
    """Return the live session of a token, else `None`; the connection is bound to no workspace.

    Nothing is remembered between requests, so whatever is revoked, removed or changed counts
    from the next one on.
    """
    rows = _FIND.all_on(connection, token_hash=token_hash(token))
    if not rows:
        return None
    found = _found(rows)
    return found if now < found.expires_at else None


def holder_of(session: Session, token: str) -> str | None:
    """Return the address that holds, or held, the session of a token."""
    held = select(DoorSession.address).where(DoorSession.token_hash == token_hash(token))
    return session.scalar(held)


def _found(rows: list[Row]) -> FoundSession:
    held = len(_HOLDER)
    joined = (row[held:] for row in rows)
    found = (Membership._make(one) for one in joined if one[0] is not None)
    # Most people work in one workspace: to sort it would cost the statement a third.
    memberships = tuple(sorted(found, key=attrgetter("slug")))
    (*before, waits, workspace_id, person_id, name, locale) = rows[0][:held]
    # SQLite tells truth by numbers.
    return FoundSession._make(
        (*before, bool(waits), workspace_id, person_id, name, locale, memberships)
    )
