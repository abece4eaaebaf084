"""One building's month for its owner: the figures as they are now, beside what was published."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from datetime import date

from flask import Response

from pms.rules.days import month_last
from pms.statements.deduction_mark import deduction_mark
from pms.statements.owner_months import owner_month
from pms.statements.queries import versions_of_month
from pms.statements.statement_rows import month_rows, unit_rows
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.statements.asked_month import month_named
from pms.surfaces.dashboard.statements.deduction_form import BORNE, DeductionForm
from pms.surfaces.dashboard.statements.uncharged import takes_charges, uncharged_of
from pms.surfaces.hypermedia import page
from pms.surfaces.reader_choice import chosen_language


@dashboard.get("/owner-statements/<month>/buildings/<building_id>", roles=OFFICE)
def owner_statement(month: str, building_id: str) -> Response:
    """Show the month with the form for a deduction."""
    month_on = month_named(month)
    on = min(month_last(month_on), today())
    return shown(
        month_on,
        building_id,
        DeductionForm(kind=BORNE, deductedOn=on, seen=deduction_mark(reading(), building_id)),
    )


def shown(month_on: date, building_id: str, form: DeductionForm) -> Response:
    """Show the month with the form as it stands."""
    found = owner_month(reading(), building_id, month_on, today())
    language = chosen_language()
    return page(
        "dashboard/statements/statement.html",
        found=found,
        month_on=month_on,
        month=f"{month_on:%Y-%m}",
        rows=month_rows(found.figures, language),
        units=unit_rows(found.figures, language),
        versions=versions_of_month(reading(), building_id, month_on),
        form=form,
        uncharged=uncharged_of([found], month_on).get(building_id, ()),
        is_open=takes_charges(found),
    )
