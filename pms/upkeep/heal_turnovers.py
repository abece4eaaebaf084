"""Goes through the units once a day for turnovers that were missed."""

from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.clock import Clock
from pms.upkeep.tend_turnovers import tend_turnovers

UNITS_AT_ONCE: Final = 500


class HealedTurnovers(NamedTuple):
    """How many cleanings were set right, and the unit to go on after; nowhere ends the day."""

    done: int
    after_unit_id: str | None


def heal_turnovers(session: Session, clock: Clock, after: str | None = None) -> HealedTurnovers:
    """Bring some units' turnovers up to date with their stays, those after a unit by its id.

    Changed reservations do it at once; this finds departures that were stored before cleanings
    were planned, or by something that went past the program.
    """
    wanted = select(Unit.id).order_by(Unit.id).limit(UNITS_AT_ONCE)
    unit_ids = session.scalars(wanted.where(Unit.id > after) if after else wanted).all()
    plan = tend_turnovers(session, unit_ids, clock)
    done = sum(map(len, (plan.added, plan.moved, plan.dropped, plan.released)))
    is_last = len(unit_ids) < UNITS_AT_ONCE
    return HealedTurnovers(done, None if is_last else unit_ids[-1])
