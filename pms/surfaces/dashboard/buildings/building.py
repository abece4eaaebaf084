"""One building: its facts, its units, its owner, its handbook."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from flask import Response

from pms.availability.unit_labels import unit_labels
from pms.catalogue.charted_units import charted_units
from pms.catalogue.handbook import handbook_of
from pms.catalogue.listed_buildings import building_with_id
from pms.catalogue.records import building_record
from pms.surfaces.dashboard.buildings.codes_seen import sees_codes
from pms.surfaces.dashboard.desk import may, reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import page_or_block
from pms.upkeep.project_list import open_projects


@dashboard.get("/buildings/<building_id>", roles=EVERYBODY)
def building(building_id: str) -> Response:
    """Show the building; who owns it and what its units cost is for the office alone."""
    record = building_record(reading(), building_id)
    paging = asked_paging()
    units = charted_units(reading(), building_id=building_id, text="", paging=paging)
    return page_or_block(
        "dashboard/buildings/building.html",
        "units",
        building=record,
        listed=building_with_id(reading(), record.id),
        handbook=handbook_of(reading(), building_id),
        codes=sees_codes(building_id),
        units=units,
        labels=unit_labels(reading(), [unit.id for unit in units.units], today()),
        projects=open_projects(reading(), building_id) if may("project") else (),
        paging=paging,
    )
