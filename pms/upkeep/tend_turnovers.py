"""Has each known departure make its one cleaning, and go along when the days change."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.clock import Clock
from pms.reservations.locks import lock_units
from pms.rules.turnovers import TurnoverPlan, plan_turnovers
from pms.upkeep.turnover_facts import turnover_facts
from pms.upkeep.write_turnovers import write_turnovers


def tend_turnovers(
    session: Session, unit_ids: Collection[str] | None = None, clock: Clock | None = None
) -> TurnoverPlan:
    """Bring the turnovers of units up to date with their stays, all units' when none are named.

    Called before every commit that changed a reservation: the reservations themselves tell then
    what day it is and who wrote them; a daily job hands over its clock. Asked again, nothing
    changes. The units are locked, so that two bookings at once make one cleaning.
    """
    unit_ids = session.scalars(select(Unit.id)).all() if unit_ids is None else unit_ids
    lock_units(session, unit_ids)
    facts = turnover_facts(session, unit_ids)
    plan = plan_turnovers(facts.stays, facts.known, clock.today() if clock else None)
    if plan:
        at: datetime | None = clock.now() if clock else None
        write_turnovers(session, facts, plan, at)
    return plan
