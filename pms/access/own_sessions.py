"""Questions a person asks about themselves: sessions, password, second factor."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import DoorSession, Person
from pms.foundation.clock import Clock


class OwnSession(NamedTuple):
    """A live session as its holder sees it."""

    id: str
    device: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime


class OwnDoors(NamedTuple):
    """How a person gets in."""

    name: str
    email: str
    locale: str
    has_password: bool
    has_second_factor: bool
    recovery_codes_left: int


def own_sessions(session: Session, clock: Clock, person_id: str) -> Sequence[OwnSession]:
    """Return a person's live sessions, the last seen first."""
    rows = session.execute(
        select(
            DoorSession.id,
            DoorSession.device,
            DoorSession.created_at,
            DoorSession.last_seen_at,
            DoorSession.expires_at,
        )
        .where(
            DoorSession.person_id == person_id,
            DoorSession.revoked_at.is_(None),
            DoorSession.waits_for_factor.is_(False),
            DoorSession.expires_at > clock.now(),
        )
        .order_by(DoorSession.last_seen_at.desc(), DoorSession.id.desc())
    )
    return [OwnSession._make(row) for row in rows]


def own_doors(session: Session, person_id: str) -> OwnDoors:
    """Return what a person's own page shows."""
    person = session.get_one(Person, person_id)
    return OwnDoors(
        person.name,
        person.email,
        person.locale,
        person.password_hash is not None,
        person.factor_confirmed_at is not None,
        len(person.recovery_hashes),
    )
