"""The occupancy of the units and what they earned, over twelve months."""

from collections.abc import Sequence
from typing import Any

from flask import Response, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext

from pms.availability.occupancy import OccupancyMonth, occupancy_months
from pms.foundation.spreadsheet import Cell
from pms.statements import reports
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.forms import QueryForm
from pms.surfaces.hypermedia import csv_answer, page_or_block
from pms.surfaces.labels.formats import month
from pms.surfaces.request_scope import today


class OccupancyForm(QueryForm):
    """The building, or all of them."""

    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])

    def __init__(self, given: Any) -> None:
        super().__init__(given)
        self.buildingId.choices = [("", _("All buildings")), *building_choices()]


@dashboard.get("/reports/occupancy", roles=OFFICE)
def occupancy() -> Response:
    """Show the twelve months up to the current one."""
    form = OccupancyForm(request.args)
    form.validate()
    months, earned = _find_months(form)
    return page_or_block(
        "dashboard/occupancy/page.html", "results", form=form, months=months, earned=earned
    )


@dashboard.get("/reports/occupancy.csv", roles=OFFICE)
def occupancy_csv() -> Response:
    """Give the twelve months as CSV."""
    form = OccupancyForm(request.args)
    form.validate()
    months, earned = _find_months(form)
    heads = [_("Month"), _("Occupied days"), _("Total days"), _("Percent"), _("Income (yen)")]
    rows: list[list[Cell]] = [
        [f"{each.month_on:%Y-%m}", each.lived_days, each.unit_days, each.percent, yen]
        for each, yen in zip(months, earned, strict=True)
    ]
    return csv_answer(f"occupancy-{month(today())}.csv", heads, rows)


def _find_months(form: OccupancyForm) -> tuple[Sequence[OccupancyMonth], Sequence[int]]:
    building_id = None if form.buildingId.errors else form.buildingId.data
    months = occupancy_months(reading(), today(), building_id=building_id)
    money = reports.profit_and_loss(reading(), today(), len(months), building_id)
    return months, [money.month_yen(each.month_on) for each in months]
