"""Sessions of people who are signed in: opening, finding, listing and ending them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Connection, bindparam, delete, select, update
from sqlalchemy.orm import Session

from pms.access.models import DoorSession, KeptForm, Member, Person, SignInPolicy
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.passwords import Passwords
from pms.foundation.prepared import Prepared, Row
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer, new_token, token_hash
from pms.rules.enumerations import Door, Proof, SignInEventKind, StaffRole
from pms.rules.sign_in_codes import SESSION_LIFE
from pms.workspaces.models import Workspace

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Doorway:
    """The tools of those use cases that begin before it is known who comes.

    They take them instead of a session: a password is hashed between two short transactions, so
    that nobody waits for a lock while it is.
    """

    database: Database
    clock: Clock
    passwords: Passwords
    signer: Signer

    def write(self, act: Callable[[WorkspaceSession], Answer]) -> Answer:
        """Return what `act` returns, which writes of people, who belong to no workspace.

        As every write it runs again after a conflict.
        """
        return self.database.write_across_workspaces(act)

    @contextmanager
    def reading(self) -> Iterator[WorkspaceSession]:
        """Give a session that reads of people."""
        with self.database.across_workspaces_reading() as session:
            yield session


@dataclass(frozen=True)
class Visitor:
    """Who stands at a door, as far as the request itself tells: address, network, browser.

    `client` is the network whose tries are counted, `neighbourhood` the wider one around it.
    `known_device` names a browser in which this address signed in before: strangers who guess
    or ask elsewhere do not slow it down.
    """

    address: str
    client: str
    device: str
    known_device: str = ""
    neighbourhood: str = ""


FACTOR_LIFE: Final = timedelta(minutes=10)
_MOST_OF_A_DEVICE: Final = 200


class OpenedSession(NamedTuple):
    """A session just opened; `waits_for_factor` says that it opens nothing but the next page."""

    token: str
    door: Door
    address: str
    locale: str | None
    waits_for_factor: bool


def open_staff_session(
    session: Session, clock: Clock, person: Person, *, proof: Proof, device: str, is_whole: bool
) -> OpenedSession:
    """Return a session of a member of staff; not whole, it waits for the second factor."""
    waits = not is_whole and person.factor_confirmed_at is not None
    token = new_token()
    session.add(
        DoorSession(
            id=new_id(),
            door=Door.STAFF,
            person_id=person.id,
            address=person.email,
            token_hash=token_hash(token),
            proof=proof,
            waits_for_factor=waits,
            device=device[:_MOST_OF_A_DEVICE],
            created_at=clock.now(),
            last_seen_at=clock.now(),
            expires_at=clock.now() + (FACTOR_LIFE if waits else SESSION_LIFE),
        )
    )
    session.flush()
    return OpenedSession(token, Door.STAFF, person.email, person.locale, waits)


def open_portal_session(
    session: Session,
    clock: Clock,
    *,
    door: Door,
    workspace_id: str,
    address: str,
    device: str,
) -> OpenedSession:
    """Return a session of a resident or an owner: an address in one workspace."""
    token = new_token()
    session.add(
        DoorSession(
            id=new_id(),
            door=door,
            workspace_id=workspace_id,
            address=address,
            token_hash=token_hash(token),
            proof=Proof.CODE,
            device=device[:_MOST_OF_A_DEVICE],
            created_at=clock.now(),
            last_seen_at=clock.now(),
            expires_at=clock.now() + SESSION_LIFE,
        )
    )
    session.flush()
    return OpenedSession(token, door, address, None, waits_for_factor=False)


def kind_of(opened: OpenedSession) -> SignInEventKind:
    """Return what the record of sign-ins calls the session that was opened."""
    waits = opened.waits_for_factor
    return SignInEventKind.FACTOR_ASKED if waits else SignInEventKind.SIGNED_IN


EVERY: Final = timedelta(minutes=1)


def note_session_use(session: Session, session_id: str, seen_at: datetime) -> None:
    """Record the instant a session was seen; an older instant changes nothing."""
    session.execute(
        update(DoorSession)
        .where(DoorSession.id == session_id, DoorSession.last_seen_at < seen_at)
        .values(last_seen_at=seen_at)
        .execution_options(synchronize_session=False)
    )


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
    found = _read_session(rows)
    return found if now < found.expires_at else None


def holder_of(session: Session, token: str) -> str | None:
    """Return the address that holds, or held, the session of a token."""
    held = select(DoorSession.address).where(DoorSession.token_hash == token_hash(token))
    return session.scalar(held)


def _read_session(rows: list[Row]) -> FoundSession:
    held = len(_HOLDER)
    joined = (row[held:] for row in rows)
    found = (Membership._make(one) for one in joined if one[0] is not None)
    # Most people work in one workspace: to sort it would cost the statement a third.
    memberships = tuple(sorted(found, key=attrgetter("slug")))
    (*before, waits, workspace_id, person_id, name, locale, has_factor) = rows[0][:held]
    # SQLite tells truth by numbers.
    identity = workspace_id, person_id, name, locale, bool(has_factor), memberships
    return FoundSession._make((*before, bool(waits), *identity))


KEPT_FOR: Final = timedelta(hours=12)
_MOST_CHARACTERS: Final = 200_000
Fields = Sequence[tuple[str, str]]


class KeptText(NamedTuple):
    """A form as it was sent: where to, what was kept of it, and whether that is all of it."""

    path: str
    fields: tuple[tuple[str, str], ...]
    is_whole: bool


def keep_form(
    session: Session, clock: Clock, *, ended_token: str, path: str, fields: Fields, is_whole: bool
) -> str | None:
    """Keep a form for whoever held the session of this token; return the token that names it.

    `fields` hold no secret; `is_whole` says that none was left out. `None` when the session never
    was, or when nobody types that much.
    """
    holder = session.scalar(
        select(DoorSession.person_id).where(DoorSession.token_hash == token_hash(ended_token))
    )
    if holder is None or sum(len(name) + len(text) for name, text in fields) > _MOST_CHARACTERS:
        return None
    token = new_token()
    session.add(
        KeptForm(
            person_id=holder,
            token_hash=token_hash(token),
            path=path,
            fields=[list(pair) for pair in fields],
            is_whole=is_whole,
            kept_at=clock.now(),
        )
    )
    session.flush()
    return token


def kept_form(session: Session, clock: Clock, *, token: str, person_id: str) -> KeptText | None:
    """Return what the person typed, for as long as it is kept."""
    row = session.scalars(
        select(KeptForm).where(
            KeptForm.token_hash == token_hash(token),
            KeptForm.person_id == person_id,
            KeptForm.kept_at > clock.now() - KEPT_FOR,
        )
    ).first()
    if row is None:
        return None
    fields = tuple((str(name), str(text)) for name, text in row.fields)
    return KeptText(row.path, fields, row.is_whole)


def forget_forms(session: Session, before: datetime) -> None:
    """Delete what was kept before an instant."""
    session.execute(delete(KeptForm).where(KeptForm.kept_at < before))
