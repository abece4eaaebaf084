"""One month of every building: brought forward, income, deductions, closing, payout, and its state."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request

from pms.foundation.runs import newest_run
from pms.rules.enumerations import RunKind
from pms.statements.owner_months import ASKED_AT_ONCE, owner_months
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.dashboard.statements.asked_month import month_asked, name_of
from pms.surfaces.dashboard.statements.month_form import MonthForm
from pms.surfaces.dashboard.statements.uncharged import uncharged_of
from pms.surfaces.hypermedia import page_or_block


@dashboard.get("/owner-statements", roles=OFFICE)
def owner_statements() -> Response:
    """Show one page of the buildings in a month."""
    month_on = month_asked(request.args.get("month"), today())
    form = MonthForm()
    form.offer(month_on, today())
    paging = asked_paging(ASKED_AT_ONCE)
    found, total = owner_months(reading(), month_on, today(), paging)
    return page_or_block(
        "dashboard/statements/months.html",
        "results",
        form=form,
        month_on=month_on,
        month=name_of(month_on),
        rows=found,
        uncharged=uncharged_of(found, month_on),
        total=total,
        paging=paging,
        run=newest_run(reading(), RunKind.PUBLISHING, name_of(month_on)),
    )
