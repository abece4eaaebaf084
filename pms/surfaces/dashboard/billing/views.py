"""What a billing run would write, and starting it."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.asked_runs import ask_run
from pms.foundation.long_work import long_work
from pms.foundation.runs import newest_run
from pms.rules.billing_calendar import billed_through_on
from pms.surfaces.dashboard.billing.month_form import MonthForm
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.page_words import month
from pms.surfaces.request_scope import database
from pms.workspaces.queries import policy

KIND: Final = "billing"
_TEMPLATE: Final = "dashboard/billing/page.html"


@dashboard.get("/billing", roles=OFFICE)
def billing() -> Response:
    """Show what a run through the month would issue, what needs a look on top."""
    return _shown(_form(request.args))


@dashboard.post("/billing/runs", roles=OFFICE)
def start_billing() -> Response:
    """Ask for the run; a worker begins within seconds."""
    form = _form(request.form)
    through_on = _through_on(form)
    return submitted(
        form,
        act=lambda session: (
            ask_run(session, clock(), actor(), kind=KIND, subject=f"{through_on:%Y-%m}").id
        ),
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id),
            said=_("Billing of %(month)s begins.", month=month(through_on)),
        ),
        again=lambda: _shown(form),
    )


def _form(given: Any) -> MonthForm:
    form = MonthForm(given)
    form.offer(today(), billed_through_on(today(), policy(reading())))
    return form


def _shown(form: MonthForm) -> Response:
    form.validate()
    preview = long_work("billing_preview")(
        database(), clock(), desk().workspace_id, through_on=form.through_on()
    )
    paging = asked_paging()
    return page_or_block(
        _TEMPLATE,
        "preview",
        form=form,
        preview=preview,
        shown=preview.rows[paging.offset : paging.offset + paging.limit],
        paging=paging,
        latest=newest_run(reading(), KIND, f"{preview.through_on:%Y-%m}"),
    )


def _through_on(form: MonthForm) -> Any:
    form.validate()
    return form.through_on() or billed_through_on(today(), policy(reading()))
