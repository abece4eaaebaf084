"""The month's billing: look first, then run."""

import re
from datetime import date
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_pgettext

from pms.foundation.asked_runs import ask_run
from pms.foundation.long_work import long_work
from pms.foundation.runs import newest_run
from pms.rules.contract_dates import billed_through_on
from pms.rules.days import add_months, month_first, month_last, strict_day
from pms.surfaces.dashboard.desk import clock, desk, reading, submitted, today
from pms.surfaces.dashboard.routes import OFFICE, dashboard
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.forms import QueryForm
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.page_words import month
from pms.surfaces.paging import asked_paging
from pms.surfaces.request_scope import database
from pms.workspaces import queries

_MONTHS_BACK: Final = 3
_is_month = re.compile(r"[0-9]{4}-[0-9]{2}").fullmatch


class MonthForm(QueryForm):
    """The last month of a billing run; missed months before it are billed too."""

    month = ChoiceField(lazy_pgettext("month", "Through"), [Optional()])

    def offer(self, today: date, due_on: date) -> None:
        """Offer the next month and those just past; the one that is due stands first."""
        first_on = month_first(today)
        months = [add_months(first_on, step) for step in range(1, -_MONTHS_BACK - 1, -1)]
        due = month_first(due_on)
        months.sort(key=lambda each: each != due)
        self.month.choices = [(f"{each:%Y-%m}", month(each)) for each in months]

    def through_on(self) -> date | None:
        """Return the last day of the month asked for, else nothing."""
        asked = "" if self.month.errors else self.month.data or ""
        day = strict_day(f"{asked}-01") if _is_month(asked) else None
        return month_last(day) if day else None


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
        act=lambda work: ask_run(work, kind=KIND, subject=f"{through_on:%Y-%m}").id,
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id),
            said=_("Billing of %(month)s begins.", month=month(through_on)),
        ),
        again=lambda: _shown(form),
    )


def _form(given: Any) -> MonthForm:
    form = MonthForm(given)
    form.offer(today(), billed_through_on(today(), queries.policy(reading())))
    return form


def _shown(form: MonthForm) -> Response:
    form.validate()
    preview = long_work("billing_run", "billing_preview")(
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
    return form.through_on() or billed_through_on(today(), queries.policy(reading()))
