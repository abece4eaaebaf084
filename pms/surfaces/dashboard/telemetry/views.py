"""The visits to the website as a picture, as tables, and as files to keep."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Iterable
from typing import Final

from flask import Response, request
from flask_babel import gettext as _

from pms.foundation.spreadsheet import Cell
from pms.rules.enumerations import TelemetryAxis
from pms.rules.telemetry import OTHER
from pms.site.website_visits import WebsiteVisits, first_day_of_visits, website_visits
from pms.surfaces.csv_answer import csv_answer
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.telemetry.bars_of_days import bars_of_days
from pms.surfaces.dashboard.telemetry.telemetry_form import TelemetryForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block

_MOST_SHOWN: Final = 20


@dashboard.get("/website/visits", roles=OFFICE)
def telemetry() -> Response:
    """Show the visits of a span of days."""
    form = TelemetryForm(request.args, today())
    is_sound = form.validate()
    found = website_visits(reading(), form.first_on, form.last_on) if is_sound else None
    response = page_or_block(
        "dashboard/telemetry/page.html",
        "results",
        form=form,
        found=found,
        bars=bars_of_days(found.days) if found else None,
        axes=[axis for axis in TelemetryAxis if axis is not TelemetryAxis.DAY],
        most=_MOST_SHOWN,
        other=OTHER,
        is_new=found is not None and not found.views and first_day_of_visits(reading()) is None,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


@dashboard.get("/website/visits.csv", roles=OFFICE)
def telemetry_csv() -> Response:
    """Give the days, or what was seen along another axis, as CSV."""
    form = TelemetryForm(request.args, today())
    if not form.validate():
        return telemetry()
    found = website_visits(reading(), form.first_on, form.last_on)
    name = f"visits-{form.axis}-{form.first_on}-{form.last_on}.csv"
    if form.axis is TelemetryAxis.DAY:
        heads = [_("Day"), _("Page views"), _("Visitors")]
        days: list[list[Cell]] = [
            [f"{each.day_on}", each.views, each.visitors] for each in found.days
        ]
        return csv_answer(name, heads, days)
    return csv_answer(name, _heads(form.axis), _rows(found, form.axis))


def _heads(axis: TelemetryAxis) -> list[str]:
    match axis:
        case TelemetryAxis.EVENT:
            return [_("Event"), _("Page"), _("Times"), _("Visitors")]
        case TelemetryAxis.CAMPAIGN:
            return [_("Campaign"), _("Page views"), _("Visitors")]
        case TelemetryAxis.REFERRER:
            return [_("Website"), _("Page views"), _("Visitors")]
    return [_("Page"), _("Page views"), _("Visitors")]


def _rows(found: WebsiteVisits, axis: TelemetryAxis) -> Iterable[list[Cell]]:
    for each, path, times, visitors in found.seen[axis]:
        value = _("(others)") if each == OTHER else each
        if axis is TelemetryAxis.EVENT:
            yield [value, path, times, visitors]
        else:
            yield [value, times, visitors]
