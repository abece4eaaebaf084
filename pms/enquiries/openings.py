"""The units that are free or may become free, for those who wait, in a fixed number of questions."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.availability.queries import taken
from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.rules.availability import Availability, decide
from pms.workspaces.queries import policy as policy_of


class Opening(NamedTuple):
    """A unit and the day it is free from; without a notice or an end the day is only soft.

    A soft day comes from an expected departure or a contract that ends without a notice: it is
    for the waitlist alone and no move-in date (specification, Availability).
    """

    unit_id: str
    unit_name: str
    building_id: str
    building: Bilingual
    on: date
    is_confirmed: bool


def openings(session: Session, today: date) -> Sequence[Opening]:
    """Return what is free or may become free, the earliest first, confirmed before soft."""
    figures = policy_of(session)
    stays, blocks = taken(session, today, figures)
    units = session.execute(
        select(Unit.id, Unit.name, Building.id, Building.name, Building.name_en).join(Unit.building)
    )
    found = (
        _opening(
            Opening(unit_id, name, building_id, Bilingual(ja, en), today, False),
            decide(stays.get(unit_id, ()), blocks.get(unit_id, ()), today, figures),
        )
        for unit_id, name, building_id, ja, en in units
    )
    return sorted(_known(found), key=lambda one: (one.on, not one.is_confirmed, one.unit_name))


def _opening(unit: Opening, state: Availability) -> Opening | None:
    if state.move_in_from is not None:
        return unit._replace(on=state.move_in_from, is_confirmed=True)
    if state.is_possible and state.on is not None:
        return unit._replace(on=state.on)
    return None


def _known(found: Iterable[Opening | None]) -> Iterable[Opening]:
    return (one for one in found if one is not None)
