"""The facts of the chart without a grid: one line a unit, its state and its day."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from typing import Final

from flask import Response, request

from pms.availability.unit_labels import unit_labels, units_left_out
from pms.catalogue.building_names import building_names
from pms.catalogue.charted_units import charted_units
from pms.surfaces.dashboard.chart.chart_form import AvailabilityForm
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import page_or_block

_TEMPLATE: Final = "dashboard/chart/availability.html"


@dashboard.get("/availability", roles=EVERYBODY)
def availability() -> Response:
    """Show the state of the units asked for."""
    form = AvailabilityForm(request.args)
    form.offer(building_names(reading()))
    form.validate()
    paging = asked_paging()
    building_id = None if form.buildingId.errors else form.buildingId.data
    found = charted_units(
        reading(),
        building_id=building_id,
        text=form.q.data or "",
        paging=paging,
        left_out=units_left_out(reading(), form.excluded(), today()),
    )
    labels = unit_labels(reading(), [unit.id for unit in found.units], today())
    return page_or_block(
        _TEMPLATE, "lines", form=form, found=found, labels=labels, paging=paging, today=today()
    )
