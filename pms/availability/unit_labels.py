"""The availability of units that are known by id, and whose units a list leaves out."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.availability.queries import taken
from pms.reservations.models import Reservation
from pms.rules.availability import Availability, decide
from pms.rules.availability_view import is_shown
from pms.rules.enumerations import ReservationKind
from pms.workspaces.queries import policy as policy_of


def unit_labels(
    session: Session, unit_ids: Sequence[str], today: date
) -> Mapping[str, Availability]:
    """Return the state and day of each unit, owner residents' included (Availability)."""
    policy = policy_of(session)
    stays, blocks = taken(session, today, policy, unit_ids)
    return {
        unit_id: decide(stays.get(unit_id, ()), blocks.get(unit_id, ()), today, policy)
        for unit_id in unit_ids
    }


def units_left_out(
    session: Session, excluded: Collection[ReservationKind], today: date
) -> Sequence[str]:
    """Return the units in which somebody of these kinds lives today (Availability, Rules)."""
    if not excluded:
        return ()
    policy = policy_of(session)
    asked = select(Reservation.unit_id).where(
        Reservation.kind.in_(excluded),
        Reservation.cancelled_at.is_(None),
        # Whoever is gone hides nothing.
        or_(
            Reservation.ends_on.is_(None),
            Reservation.ends_on >= today - timedelta(days=policy.turnover_days),
        ),
    )
    # Told apart here: to do it itself, SQLite would read every stay in the order of the units.
    unit_ids = list(dict.fromkeys(session.scalars(asked)))
    stays = taken(session, today, policy, unit_ids).stays
    return [id_ for id_ in unit_ids if not is_shown(stays.get(id_, ()), excluded, today, policy)]
