"""The owner's home: of each building the newest payout, how full it is, and the work on it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from flask import Response

from pms.availability.occupancy_months import OccupancyMonth, occupancy_of_buildings
from pms.catalogue.owned_buildings import OwnedBuilding
from pms.rules.days import add_months, month_first
from pms.statements.owners_statements import OwnersStatement, statements_of_owner
from pms.surfaces.hypermedia import page
from pms.surfaces.portals.owner import own
from pms.surfaces.portals.portal import reading, today
from pms.surfaces.portals.reach import PortalAddress
from pms.upkeep.work_of_buildings import open_work_of_buildings

_MONTHS: Final = 12
_NEWEST_WITHIN: Final = 36


class BuildingCard(NamedTuple):
    """One building at a glance."""

    building: OwnedBuilding
    newest: OwnersStatement | None
    occupancy: Sequence[OccupancyMonth]
    open_projects: int


def show() -> Response:
    """What belongs to the owner at a glance."""
    ids = [building.id for building in own.buildings()]
    newest = _newest()
    occupancy = occupancy_of_buildings(reading(), ids, today(), _MONTHS)
    work = open_work_of_buildings(reading(), ids)
    cards = [
        BuildingCard(
            building, newest.get(building.id), occupancy[building.id], work.get(building.id, 0)
        )
        for building in own.buildings()
    ]
    return page("portals/owner/home.html", cards=cards, today=today())


def _newest() -> Mapping[str, OwnersStatement]:
    through_on = month_first(today())
    found = statements_of_owner(
        reading(), own.buildings(), add_months(through_on, -_NEWEST_WITHIN), through_on
    )
    return dict(_first_of_each(found))


def _first_of_each(found: Sequence[OwnersStatement]) -> Iterator[tuple[str, OwnersStatement]]:
    """The newest month of each building: the last one told wins."""
    return ((one.building_id, one) for one in reversed(found))


ADDRESSES = (PortalAddress("/", "home", show),)
