"""The availability of units that are known by id, in a fixed number of questions."""

from collections.abc import Mapping, Sequence
from datetime import date

from sqlalchemy.orm import Session

from pms.availability.queries import taken
from pms.rules.availability import Availability, decide
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
