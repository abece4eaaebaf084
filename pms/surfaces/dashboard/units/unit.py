"""One unit: its facts, what it costs, and why its label is what it is."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from typing import Final

from flask import Response

from pms.availability.explain_unit import explain_unit
from pms.catalogue.handbook import handbook_of, handbook_of_unit
from pms.catalogue.listed_units import unit_with_id
from pms.catalogue.records import unit_fee_records
from pms.surfaces.dashboard.buildings.codes_seen import sees_codes
from pms.surfaces.dashboard.desk import desk, may, reading, today
from pms.surfaces.dashboard.units.frame import framed
from pms.surfaces.dashboard.units.reasons import reason_words
from pms.surfaces.dashboard.work.place import reach
from pms.upkeep.days_tasks import tasks_of_unit
from pms.upkeep.project_list import open_projects

_FEW_TASKS: Final = 5


@dashboard.get("/units/<unit_id>", roles=EVERYBODY)
def unit(unit_id: str) -> Response:
    """Show the unit; prices and whose stay decides are for the office alone."""
    listed = unit_with_id(reading(), unit_id, today())
    explained = explain_unit(reading(), unit_id, today())
    is_office = desk().is_office
    return framed(
        unit_id,
        "dashboard/units/overview.html",
        listed=listed,
        availability=explained.availability,
        reason=explained.reason if is_office else None,
        reason_said=reason_words(explained.reason) if is_office else None,
        fees=unit_fee_records(reading(), unit_id) if is_office else (),
        own_handbook=handbook_of_unit(reading(), unit_id),
        handbook=None if is_office else handbook_of(reading(), listed.building.id),
        codes=sees_codes(listed.building.id),
        projects=open_projects(reading(), listed.building.id, unit_id) if may("project") else (),
        work=tasks_of_unit(reading(), reach(), unit_id, _FEW_TASKS),
        today=today(),
    )
