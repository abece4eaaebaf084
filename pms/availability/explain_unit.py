"""Says why a unit's label is what it is."""

from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.availability.queries import taken
from pms.rules.availability import Availability, decide
from pms.rules.availability_reasons import Reason, explain
from pms.workspaces.queries import policy as policy_of


class ExplainedUnit(NamedTuple):
    """The availability of one unit and the fact that decided it."""

    availability: Availability
    reason: Reason


def explain_unit(session: Session, unit_id: str, today: date) -> ExplainedUnit:
    """Return what one unit is today, and why."""
    policy = policy_of(session)
    what_takes = taken(session, today, policy, [unit_id])
    facts = what_takes.stays.get(unit_id, ()), what_takes.blocks.get(unit_id, ())
    return ExplainedUnit(decide(*facts, today, policy), explain(*facts, today, policy))
