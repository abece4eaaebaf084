"""The owner's home and one of their buildings."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from flask import Response
from flask_babel import lazy_pgettext

from pms.availability import occupancy
from pms.availability.occupancy import OccupancyMonth, occupancy_of_buildings
from pms.availability.units import unit_labels
from pms.catalogue import owners
from pms.catalogue.owners import OwnedBuilding
from pms.rules.availability import label
from pms.rules.days import add_months, month_first
from pms.rules.enumerations import Locale
from pms.statements import owner_statements
from pms.statements.owner_statements import OwnersStatement
from pms.surfaces.hypermedia import page
from pms.surfaces.paging import asked_paging
from pms.surfaces.portals.blueprints import Item, Place, shown
from pms.surfaces.portals.owner import own
from pms.surfaces.portals.owner.blueprint import blueprint
from pms.surfaces.portals.portal import reading
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today
from pms.upkeep import boards

_PROJECTS_A_PAGE: Final = 20


@blueprint.get("/buildings/<building_id>", endpoint="building")
def show_building(building_id: str) -> Response:
    """Show one of the owner's buildings."""
    building = own.building(building_id)
    units = owners.owned_units(reading(), building.id)
    labels = unit_labels(reading(), [unit.id for unit in units], today())
    locale = Locale(chosen_language())
    paging = asked_paging(_PROJECTS_A_PAGE)
    projects, total = boards.projects_with_cost(reading(), building.id, paging)
    return page(
        "portals/owner/building.html",
        building=building,
        units=[(unit, labels[unit.id].state, label(labels[unit.id], locale)) for unit in units],
        occupancy=occupancy.occupancy_of_buildings(reading(), [building.id], today())[building.id],
        projects=projects,
        paging=paging,
        total=total,
    )


# An entry is named by its endpoint, and shown only if the portal has that endpoint.
PLACES: Final = (
    Place("home", lazy_pgettext("portal", "Home"), "owner"),
    Place("statements", lazy_pgettext("portal", "Statements"), "statement"),
    Place("profile", lazy_pgettext("portal", "My page"), "person"),
)


def menu() -> tuple[Item, ...]:
    """Return the entries of the navigation bar."""
    return shown(PLACES)


_MONTHS: Final = 12
_NEWEST_WITHIN: Final = 36


class BuildingCard(NamedTuple):
    """The summary of one building."""

    building: OwnedBuilding
    newest: OwnersStatement | None
    occupancy: Sequence[OccupancyMonth]
    open_projects: int


@blueprint.get("/", endpoint="home")
def show_home() -> Response:
    """Show a summary of the owner's buildings."""
    ids = [building.id for building in own.buildings()]
    newest = _newest()
    occupancy = occupancy_of_buildings(reading(), ids, today(), _MONTHS)
    work = boards.open_work_of_buildings(reading(), ids)
    cards = [
        BuildingCard(
            building, newest.get(building.id), occupancy[building.id], work.get(building.id, 0)
        )
        for building in own.buildings()
    ]
    return page("portals/owner/home.html", cards=cards, today=today())


def _newest() -> Mapping[str, OwnersStatement]:
    through_on = month_first(today())
    from_on = add_months(through_on, -_NEWEST_WITHIN)
    return owner_statements.latest_statements(reading(), own.buildings(), from_on, through_on)
