"""The chart: units down, days across, a page of units at a time."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from datetime import timedelta
from typing import Final

from flask import Response, request

from pms.availability.timeline import timeline
from pms.catalogue.building_names import building_names
from pms.catalogue.charted_units import charted_units
from pms.surfaces.dashboard.chart.chart_form import ChartForm
from pms.surfaces.dashboard.chart.plan import Window, planned
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.reader_choice import this_page_with

_UNITS_A_PAGE: Final = 80
_TEMPLATE: Final = "dashboard/chart/page.html"


@dashboard.get("/chart", roles=EVERYBODY)
def chart() -> Response:
    """Show the chart of the units and days asked for."""
    form = ChartForm(request.args)
    form.offer(building_names(reading()))
    form.validate()
    window = Window(form.first_on(today()), form.span_days())
    paging = asked_paging(_UNITS_A_PAGE)
    building_id = None if form.buildingId.errors else form.buildingId.data
    found = charted_units(reading(), building_id=building_id, text=form.q.data or "", paging=paging)
    bars = timeline(reading(), [unit.id for unit in found.units], window.first_on, window.last_on)
    return page_or_block(
        _TEMPLATE,
        "chart",
        form=form,
        window=window,
        buildings=planned(found.units, bars, window),
        total=found.total,
        paging=paging,
        today=today(),
        moved=_moved,
    )


def _moved(window: Window, days: int) -> str:
    """Return the address of the same chart some days later, or earlier."""
    first_on = window.first_on + timedelta(days=days)
    return this_page_with(startDate=first_on.isoformat())
