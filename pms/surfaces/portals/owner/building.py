"""One building of the owner: its units with their labels, and the work on it; nobody's data."""

from typing import Final

from flask import Response, request

from pms.availability.occupancy_months import occupancy_of_buildings
from pms.availability.unit_labels import unit_labels
from pms.catalogue.owned_buildings import owned_units
from pms.foundation.paging import Paging
from pms.rules.availability_view import label
from pms.rules.enumerations import Locale
from pms.surfaces.hypermedia import page
from pms.surfaces.portals.owner import own
from pms.surfaces.portals.portal import reading, today
from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.reader_choice import chosen_language
from pms.upkeep.work_of_buildings import projects_with_cost

_PROJECTS_A_PAGE: Final = 20


def show(building_id: str) -> Response:
    """Show the building."""
    building = own.building(building_id)
    units = owned_units(reading(), building.id)
    labels = unit_labels(reading(), [unit.id for unit in units], today())
    locale = Locale(chosen_language())
    paging = _paging()
    projects, total = projects_with_cost(reading(), building.id, paging)
    return page(
        "portals/owner/building.html",
        building=building,
        units=[(unit, labels[unit.id].state, label(labels[unit.id], locale)) for unit in units],
        occupancy=occupancy_of_buildings(reading(), [building.id], today())[building.id],
        projects=projects,
        paging=paging,
        total=total,
    )


def _paging() -> Paging:
    given = request.args.get("page", "")
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 6 else 1
    return Paging(max(number, 1), _PROJECTS_A_PAGE)


ADDRESSES = (PortalAddress("/buildings/<building_id>", "building", show),)
