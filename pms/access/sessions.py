"""Sessions of people who are signed in: finding them and noting their use."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.orm import Session

from pms.access.models import AuthSession, Member, Person, SignInPolicy
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.passwords import Passwords
from pms.foundation.prepared import PreparedStatement
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer, token_hash
from pms.rules.enumerations import Proof, StaffRole, UserKind
from pms.workspaces.models import Workspace

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class AuthContext:
    """The dependencies of use cases that begin before the person is known.

    They take them instead of a session: a password is hashed between two short transactions, so
    that no lock is held meanwhile.
    """

    database: Database
    clock: Clock
    passwords: Passwords
    signer: Signer

    def write(self, act: Callable[[WorkspaceSession], Answer]) -> Answer:
        """Return the result of `act`, which writes data of people, across workspaces.

        As every write it is run again after a conflict.
        """
        return self.database.write_across_workspaces(act)

    @contextmanager
    def reading(self) -> Iterator[WorkspaceSession]:
        """Open a session that reads data of people."""
        with self.database.across_workspaces_reading() as session:
            yield session


@dataclass(frozen=True)
class Visitor:
    """Who tries to sign in, as known from the request: address, network, browser.

    `client` is the network whose tries are counted, `neighbourhood` the wider one around it.
    `known_device` names a browser in which this address signed in before: tries of strangers
    elsewhere do not slow it down.
    """

    address: str
    client: str
    device: str
    known_device: str = ""
    neighbourhood: str = ""


EVERY: Final = timedelta(minutes=1)


def note_session_use(session: Session, held: "FoundSession", seen_at: datetime) -> None:
    """Record when a session was last seen, and the pause before; an older instant changes nothing."""
    pause_seconds = int(held.longest_pause(seen_at).total_seconds())
    session.execute(
        update(AuthSession)
        .where(AuthSession.id == held.id, AuthSession.last_seen_at < seen_at)
        .values(last_seen_at=seen_at, longest_pause_seconds=pause_seconds)
        .execution_options(synchronize_session=False)
    )


_HOLDER = (
    AuthSession.id,
    AuthSession.user_kind,
    AuthSession.address,
    AuthSession.proof,
    AuthSession.created_at,
    AuthSession.last_seen_at,
    AuthSession.longest_pause_seconds,
    AuthSession.expires_at,
    AuthSession.waits_for_factor,
    AuthSession.workspace_id,
    AuthSession.person_id,
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
    Member.building_ids,
)
_FIND = PreparedStatement(
    select(*_HOLDER, *_MEMBERSHIP)
    .select_from(AuthSession)
    .outerjoin(Person, Person.id == AuthSession.person_id)
    .outerjoin(Member, (Member.person_id == Person.id) & Member.removed_at.is_(None))
    .outerjoin(Workspace, Workspace.id == Member.workspace_id)
    .outerjoin(SignInPolicy, SignInPolicy.workspace_id == Member.workspace_id)
    .where(
        AuthSession.token_hash == bindparam("token_hash"),
        AuthSession.revoked_at.is_(None),
        Person.deactivated_at.is_(None),
    )
)


class Membership(NamedTuple):
    """A workspace a person works in, their role, and its sign-in requirements."""

    workspace_id: str
    slug: str
    name: str
    name_en: str | None
    role: StaffRole
    brand_hue: int
    logo_file_key: str | None
    factor_required_on: date | None
    idle_minutes: int | None
    building_ids: Sequence[str] | None
    """The buildings the person works for there; `None` for all."""

    def ends_after(self, pause: timedelta) -> bool:
        """Whether the workspace demands a new sign-in after so long without use.

        Use is recorded once a minute, which is added: no session ends too early.
        """
        return (
            self.idle_minutes is not None and pause >= timedelta(minutes=self.idle_minutes) + EVERY
        )


class FoundSession(NamedTuple):
    """A live session and its owner: a person with memberships, or an address in a workspace."""

    id: str
    user_kind: UserKind
    address: str
    proof: Proof
    created_at: datetime
    last_seen_at: datetime
    longest_pause_seconds: int
    expires_at: datetime
    waits_for_factor: bool
    workspace_id: str | None
    person_id: str | None
    name: str | None
    locale: str | None
    has_factor: bool
    memberships: tuple[Membership, ...]

    def longest_pause(self, now: datetime) -> timedelta:
        """Return how long the session was not used at most, up to now."""
        return max(timedelta(seconds=self.longest_pause_seconds), now - self.last_seen_at)

    def is_idle(self, now: datetime) -> bool:
        """Whether each of the person's workspaces demands a new sign-in after such a pause."""
        if not self.memberships or self.waits_for_factor:
            return False
        pause = self.longest_pause(now)
        return all(place.ends_after(pause) for place in self.memberships)


def find_session(connection: Connection, token: str, now: datetime) -> FoundSession | None:
    """Return the live session of a token, else `None`; the connection is bound to no workspace.

    Nothing is cached between requests, so that removals and changes apply from the next one on.
    Whether it was inactive for too long is checked by `is_idle`.
    """
    rows = _FIND.all_on(connection, token_hash=token_hash(token))
    if not rows:
        return None
    held = len(_HOLDER)
    joined = (row[held:] for row in rows)
    session_found = (Membership._make(columns) for columns in joined if columns[0] is not None)
    # Most people work in one workspace: sorting in SQL would add a third to the statement's cost.
    memberships = tuple(sorted(session_found, key=attrgetter("slug")))
    (*before, waits, workspace_id, person_id, name, locale, has_factor) = rows[0][:held]
    # SQLite returns booleans as numbers.
    identity = workspace_id, person_id, name, locale, bool(has_factor), memberships
    found = FoundSession._make((*before, bool(waits), *identity))
    return found if now < found.expires_at else None


def holder_of(session: Session, token: str) -> str | None:
    """Return the address of a token's session, live or ended."""
    held = select(AuthSession.address).where(AuthSession.token_hash == token_hash(token))
    return session.scalar(held)
