"""Where an address is signed in to a portal, and signing it out everywhere else."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pms.access.models import DoorSession
from pms.access.own_sessions import OwnSession
from pms.foundation.clock import Clock
from pms.rules.enumerations import Door


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
    session: Session, clock: Clock, *, door: Door, workspace_id: str, address: str, but: str
) -> int:
    """End the sessions of an address but one; return how many live ones ended."""
    live = select(DoorSession).where(*_live(door, workspace_id, address), DoorSession.id != but)
    ended = session.scalars(live.with_for_update()).all()
    for row in ended:
        row.revoked_at = clock.now()
    session.flush()
    return sum(row.expires_at > clock.now() for row in ended)


def _live(door: Door, workspace_id: str, address: str) -> tuple[ColumnElement[bool], ...]:
    return (
        DoorSession.door == door,
        DoorSession.workspace_id == workspace_id,
        DoorSession.address == address,
        DoorSession.revoked_at.is_(None),
    )
