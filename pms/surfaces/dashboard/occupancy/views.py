"""Occupancy and income side by side, as pictures and as a table to keep."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence

from flask import Response, request
from flask_babel import gettext as _

from pms.availability.occupancy_months import OccupancyMonth, occupancy_months
from pms.foundation.spreadsheet import Cell
from pms.statements.profit_and_loss import profit_and_loss
from pms.surfaces.csv_answer import csv_answer
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.occupancy.occupancy_form import OccupancyForm
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.page_words import month


@dashboard.get("/reports/occupancy", roles=OFFICE)
def occupancy() -> Response:
    """Show the twelve months up to the present one."""
    form = OccupancyForm(request.args)
    form.validate()
    months, earned = _found(form)
    return page_or_block(
        "dashboard/occupancy/page.html", "results", form=form, months=months, earned=earned
    )


@dashboard.get("/reports/occupancy.csv", roles=OFFICE)
def occupancy_csv() -> Response:
    """Give the twelve months as CSV."""
    form = OccupancyForm(request.args)
    form.validate()
    months, earned = _found(form)
    heads = [_("Month"), _("Days lived in"), _("Days in all"), _("Percent"), _("Earned (yen)")]
    rows: list[list[Cell]] = [
        [f"{each.month_on:%Y-%m}", each.lived_days, each.unit_days, each.percent, yen]
        for each, yen in zip(months, earned, strict=True)
    ]
    return csv_answer(f"occupancy-{month(today())}.csv", heads, rows)


def _found(form: OccupancyForm) -> tuple[Sequence[OccupancyMonth], Sequence[int]]:
    building_id = None if form.buildingId.errors else form.buildingId.data
    months = occupancy_months(reading(), today(), building_id=building_id)
    money = profit_and_loss(reading(), today(), len(months), building_id)
    return months, [money.month_yen(each.month_on) for each in months]
