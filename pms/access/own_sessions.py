"""A person's own access: sessions, password, second factor."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, delete, func, select
from sqlalchemy.orm import Session

from pms.access.models import AuthSession, Person, SignInCode
from pms.access.sessions import Visitor
from pms.access.sign_in_events import note_event
from pms.foundation.clock import Clock
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.rules.enumerations import SignInEventKind, UserKind


def forget_codes(session: Session, before: datetime) -> None:
    """Delete the codes requested before an instant."""
    session.execute(delete(SignInCode).where(SignInCode.sent_at < before))


def forget_sessions(session: Session, before: datetime) -> None:
    """Delete the sessions that ended before an instant."""
    session.execute(delete(AuthSession).where(AuthSession.expires_at < before))


def sign_out_everywhere(
    session: Session,
    clock: Clock,
    person_id: str,
    *,
    but: str | None = None,
    by: Visitor | None = None,
) -> int:
    """End the sessions of a person except `but`; return how many live ones ended.

    `by` is who ended them, for the sign-in record; without it nothing is recorded, because another
    event says so already.
    """
    live = select(AuthSession).where(
        AuthSession.person_id == person_id, AuthSession.revoked_at.is_(None)
    )
    ended = [row for row in session.scalars(live.with_for_update()) if row.id != but]
    for row in ended:
        row.revoked_at = clock.now()
    session.flush()
    if by is not None:
        note_event(session, clock, SignInEventKind.SESSIONS_ENDED, by)
    return sum(row.expires_at > clock.now() for row in ended)


def sign_out(
    session: Session,
    clock: Clock,
    session_id: str,
    *,
    by: Visitor | None = None,
    kind: SignInEventKind = SignInEventKind.SIGNED_OUT,
) -> None:
    """End a session of any kind; ending it twice changes nothing.

    `by` is who ended it, for the sign-in record; without it nothing is recorded, because another
    session takes its place.
    """
    row = session.get(AuthSession, session_id, with_for_update=True)
    if row is None or row.revoked_at is not None:
        return
    row.revoked_at = clock.now()
    session.flush()
    if by is not None:
        note_event(session, clock, kind, by, user_kind=row.user_kind, workspace_id=row.workspace_id)


def revoke_session(
    session: Session, clock: Clock, person_id: str, session_id: str, *, by: Visitor
) -> None:
    """End a session of the person; raise `NotFound` for another person's session."""
    row = session.get(AuthSession, session_id) if is_id(session_id) else None
    if row is None or row.person_id != person_id:
        raise no_such("session")
    sign_out(session, clock, session_id, by=by, kind=SignInEventKind.SESSION_ENDED)


class OwnSession(NamedTuple):
    """A live session as its owner sees it."""

    id: str
    device: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime


class SignInMeans(NamedTuple):
    """How a person signs in: password, second factor, recovery codes left."""

    name: str
    email: str
    locale: str
    has_password: bool
    has_second_factor: bool
    recovery_codes_left: int


_SESSIONS: Final[Select[*tuple[Any, ...]]] = select(
    AuthSession.id,
    AuthSession.device,
    AuthSession.created_at,
    AuthSession.last_seen_at,
    AuthSession.expires_at,
).order_by(AuthSession.last_seen_at.desc(), AuthSession.id.desc())


def own_sessions(session: Session, clock: Clock, person_id: str) -> Sequence[OwnSession]:
    """Return a person's live sessions, last seen first."""
    rows = session.execute(
        _SESSIONS.where(
            AuthSession.person_id == person_id,
            AuthSession.revoked_at.is_(None),
            AuthSession.waits_for_factor.is_(False),
            AuthSession.expires_at > clock.now(),
        )
    )
    return [OwnSession._make(row) for row in rows]


def sign_in_means(session: Session, person_id: str) -> SignInMeans:
    """Return what a person's own page shows."""
    person = session.get_one(Person, person_id)
    return SignInMeans(
        person.name,
        person.email,
        person.locale,
        person.password_hash is not None,
        person.factor_confirmed_at is not None,
        len(person.recovery_hashes),
    )


def portal_sessions(
    session: Session, clock: Clock, *, user_kind: UserKind, workspace_id: str, address: str
) -> Sequence[OwnSession]:
    """Return the live sessions of an address of one kind of user, last seen first."""
    rows = session.execute(
        _SESSIONS.where(
            *_live_session_conditions(user_kind, workspace_id, address),
            AuthSession.expires_at > clock.now(),
        )
    )
    return [OwnSession._make(row) for row in rows]


def end_other_sessions(
    session: Session, clock: Clock, *, user_kind: UserKind, workspace_id: str, by: Visitor, but: str
) -> int:
    """End the sessions of a portal address except `but`; return how many live ones ended."""
    live = select(AuthSession).where(
        *_live_session_conditions(user_kind, workspace_id, by.address), AuthSession.id != but
    )
    ended = session.scalars(live.with_for_update()).all()
    for row in ended:
        row.revoked_at = clock.now()
    session.flush()
    kind = SignInEventKind.SESSIONS_ENDED
    note_event(session, clock, kind, by, user_kind=user_kind, workspace_id=workspace_id)
    return sum(row.expires_at > clock.now() for row in ended)


def _live_session_conditions(
    user_kind: UserKind, workspace_id: str, address: str
) -> tuple[ColumnElement[bool], ...]:
    return (
        AuthSession.user_kind == user_kind,
        AuthSession.workspace_id == workspace_id,
        AuthSession.address == address,
        AuthSession.revoked_at.is_(None),
    )


def last_sign_ins(
    session: Session, *, user_kind: UserKind, workspace_id: str
) -> Mapping[str, datetime]:
    """Return each address's last sign-in to a portal of a workspace, as far as stored."""
    rows = session.execute(
        select(AuthSession.address, func.max(AuthSession.created_at))
        .where(AuthSession.user_kind == user_kind, AuthSession.workspace_id == workspace_id)
        .group_by(AuthSession.address)
    )
    return dict(rows.all())
