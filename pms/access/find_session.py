"""Finds who holds a session; on the path of every page behind a door."""

from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.orm import Session

from pms.access.models import DoorSession, Member, Person, SignInPolicy
from pms.access.note_session_use import EVERY
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
    Person.factor_confirmed_at.is_not(None),
)
_MEMBERSHIP = (
    Workspace.id,
    Workspace.slug,
    Workspace.name,
    Workspace.name_en,
    Member.role,
    Workspace.brand_hue,
    Workspace.logo_file_key,
    SignInPolicy.factor_required_on,
    SignInPolicy.idle_minutes,
)
_FIND = Prepared(
    select(*_HOLDER, *_MEMBERSHIP)
    .select_from(DoorSession)
    .outerjoin(Person, Person.id == DoorSession.person_id)
    .outerjoin(Member, (Member.person_id == Person.id) & Member.removed_at.is_(None))
    .outerjoin(Workspace, Workspace.id == Member.workspace_id)
    .outerjoin(SignInPolicy, SignInPolicy.workspace_id == Member.workspace_id)
    .where(
        DoorSession.token_hash == bindparam("token_hash"),
        DoorSession.revoked_at.is_(None),
        Person.deactivated_at.is_(None),
    )
)


class Membership(NamedTuple):
    """A workspace somebody works in, as what, and what it demands at the door."""

    workspace_id: str
    slug: str
    name: str
    name_en: str | None
    role: StaffRole
    brand_hue: int
    logo_file_key: str | None
    factor_required_on: date | None
    idle_minutes: int | None


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
    has_factor: bool
    memberships: tuple[Membership, ...]

    def is_idle(self, now: datetime) -> bool:
        """Tell whether nobody was active for longer than the strictest workspace allows.

        Use is noted once a minute, so that much longer: nobody is signed out too early.
        """
        limits = [one.idle_minutes for one in self.memberships if one.idle_minutes is not None]
        if not limits or self.waits_for_factor:
            return False
        return now - self.last_seen_at >= timedelta(minutes=min(limits)) + EVERY

    @property
    def factor_demanded_by(self) -> Membership | None:
        """The workspace that demands a second factor first, of somebody who has none."""
        if self.has_factor:
            return None
        demanding = [one for one in self.memberships if one.factor_required_on is not None]
        return min(demanding, key=attrgetter("factor_required_on"), default=None)


def find_session(connection: Connection, token: str, now: datetime) -> FoundSession | None:
    """Return the live session of a token, else `None`; the connection is bound to no workspace.

    Nothing is remembered between requests, so whatever is revoked, removed or changed counts
    from the next one on. Whether it stood idle for too long is asked of what is returned.
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
    (*before, waits, workspace_id, person_id, name, locale, has_factor) = rows[0][:held]
    # SQLite tells truth by numbers.
    told = workspace_id, person_id, name, locale, bool(has_factor), memberships
    return FoundSession._make((*before, bool(waits), *told))
