"""The reservations of one unit, newest first."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response

from pms.catalogue.records import unit_record
from pms.reservations.list_residents import ResidentSearch, list_residents
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.dashboard.units.frame import framed


@dashboard.get("/units/<unit_id>/reservations", roles=OFFICE)
def unit_reservations(unit_id: str) -> Response:
    """Show who lives, lived and will live here."""
    unit = unit_record(reading(), unit_id)
    paging = asked_paging()
    found, total = list_residents(reading(), ResidentSearch(unit=unit_id), paging)
    return framed(
        unit_id,
        "dashboard/units/reservations.html",
        unit=unit,
        reservations=found,
        total=total,
        paging=paging,
    )
