"""Where an address is signed in to a portal, and signing it out everywhere else."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.access.doorway import Visitor
from pms.access.models import DoorSession
from pms.access.own_sessions import OwnSession
from pms.access.sign_in_events import note_event
from pms.foundation.clock import Clock
from pms.rules.enumerations import Door, SignInEventKind


def portal_sessions(
    session: Session, clock: Clock, *, door: Door, workspace_id: str, address: str
) -> Sequence[OwnSession]:
    """Return the live sessions of an address behind one door, the last seen first."""
    rows = session.execute(
        select(
            DoorSession.id,
            DoorSession.device,
            DoorSession.created_at,
            DoorSession.last_seen_at,
            DoorSession.expires_at,
        )
        .where(*_live(door, workspace_id, address), DoorSession.expires_at > clock.now())
        .order_by(DoorSession.last_seen_at.desc(), DoorSession.id.desc())
    )
    return [OwnSession._make(row) for row in rows]


def end_other_sessions(
    session: Session, clock: Clock, *, door: Door, workspace_id: str, by: Visitor, but: str
) -> int:
    """End the sessions of a visitor's address but one; return how many live ones ended."""
    live = select(DoorSession).where(*_live(door, workspace_id, by.address), DoorSession.id != but)
    ended = session.scalars(live.with_for_update()).all()
    for row in ended:
        row.revoked_at = clock.now()
    session.flush()
    kind = SignInEventKind.SESSIONS_ENDED
    note_event(session, clock, kind, by, door=door, workspace_id=workspace_id)
    return sum(row.expires_at > clock.now() for row in ended)


def _live(door: Door, workspace_id: str, address: str) -> tuple[ColumnElement[bool], ...]:
    return (
        DoorSession.door == door,
        DoorSession.workspace_id == workspace_id,
        DoorSession.address == address,
        DoorSession.revoked_at.is_(None),
    )


def last_sign_ins(session: Session, *, door: Door, workspace_id: str) -> Mapping[str, datetime]:
    """Return when each address last came in behind a door of a workspace, as far as it is kept."""
    rows = session.execute(
        select(DoorSession.address, func.max(DoorSession.created_at))
        .where(DoorSession.door == door, DoorSession.workspace_id == workspace_id)
        .group_by(DoorSession.address)
    )
    return dict(rows.all())
