"""The monthly billing: a preview, then the run."""

import re
from datetime import date
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, lazy_pgettext

from pms.foundation.kept_figures import outdated_figures_of
from pms.foundation.runs import ask_run, long_work, newest_run
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.contract_dates import billed_through_on
from pms.rules.days import add_months, month_first, month_last, strict_day
from pms.surfaces.dashboard.gate import OFFICE, dashboard, may, reading, reading_figures
from pms.surfaces.dashboard.listing import ListColumn, Listing, Spot, Tags, ValueKind, ask, listing
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.formats import month
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, today
from pms.workspaces import queries

_MONTHS_BACK: Final = 3
_is_month = re.compile(r"[0-9]{4}-[0-9]{2}").fullmatch


class BillingMonthForm(QueryForm):
    """The last month of a billing run; missed months before it are billed too."""

    month = ChoiceField(lazy_pgettext("month", "Through"), [Optional()])

    def offer(self, today: date, due_on: date) -> None:
        """Offer the next month and the past ones; the month that is due comes first."""
        first_on = month_first(today)
        months = [add_months(first_on, step) for step in range(1, -_MONTHS_BACK - 1, -1)]
        due = month_first(due_on)
        months.sort(key=lambda each: each != due)
        self.month.choices = [(f"{each:%Y-%m}", month(each)) for each in months]

    def through_on(self) -> date | None:
        """Return the last day of the chosen month, or None."""
        asked = "" if self.month.errors else self.month.data or ""
        day = strict_day(f"{asked}-01") if _is_month(asked) else None
        return month_last(day) if day else None


KIND: Final = "billing"
_TEMPLATE: Final = "dashboard/billing/page.html"


@dashboard.get("/billing", roles=OFFICE, is_of_all_buildings=True)
def billing() -> Response:
    """Show what a run through the month would issue, with the problems first."""
    session = reading() if ask(BILLING).file_type else reading_figures()
    return _render_preview(_build_form(request.args), session)


@dashboard.post("/billing/runs", roles=OFFICE, is_of_all_buildings=True)
def start_billing() -> Response:
    """Queue the billing run; a worker starts it within seconds."""
    form = _build_form(request.form)
    form.validate()
    through_on = form.through_on() or billed_through_on(today(), queries.policy(reading()))
    return submitted(
        form,
        act=lambda work: ask_run(work, kind=KIND, subject=f"{through_on:%Y-%m}").id,
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id),
            message=_("Billing for %(month)s has started.", month=month(through_on)),
        ),
        again=lambda: _render_preview(form, reading()),
    )


_LOOKS: Final = {
    "PROBLEM": (lazy_gettext("Cannot be billed"), "bad"),
    "MISSED": (lazy_gettext("Earlier months not billed"), "warn"),
    "ENDED": (lazy_gettext("Not billed this month"), "soft"),
    "NEW": (lazy_gettext("New"), "info"),
    "CHANGED": (lazy_gettext("Changed"), "info"),
    "FIRST_HERE": (lazy_gettext("First bill after taking over"), "plain"),
    "SAME": (lazy_gettext("Same as last month"), "plain"),
}


def _build_look_tags(row: Any) -> Tags:
    text, tone = _LOOKS[row.look.name]
    return [(label_of(row.reason) if row.reason else str(text), tone)]


_MENDING: Final = {
    "damaged_dates": ("reservation_dates", lazy_gettext("Correct the dates")),
    "no_price": ("reservation_price", lazy_gettext("Set the price")),
    "no_invoice": ("reservation_opening", lazy_gettext("Issue move-in invoice")),
    "not_taken_over": ("reservation_opening", lazy_gettext("Enter opening balances")),
}
"""The page on which each cause of an unbillable reservation is corrected, and its link text."""


def _find_mending(row: Any) -> tuple[str, Any] | None:
    found = _MENDING.get(row.reason.value) if row.reason else None
    return found if found and may(found[0]) else None


def _mending_href(row: Any) -> str | None:
    found = _find_mending(row)
    return found and url_for(f"dashboard.{found[0]}", reservation_id=row.reservation_id)


BILLING: Final[Listing[Any]] = listing(
    "billing",
    lazy_gettext("Billing"),
    ListColumn(
        "resident",
        lazy_gettext("Resident"),
        lambda row: row.name,
        spot=Spot.NAME,
        href=lambda row: url_for("dashboard.reservation", reservation_id=row.reservation_id),
    ),
    ListColumn(
        "unit",
        lazy_gettext("Unit"),
        lambda row: f"{row.building.in_language(chosen_language())} {row.room}",
        spot=Spot.PLACE,
    ),
    ListColumn(
        "look",
        lazy_gettext("Status"),
        _build_look_tags,
        ValueKind.TAGS,
        Spot.STATE,
        sort=lambda row: row.look,
    ),
    ListColumn(
        "act",
        lazy_gettext("Next step"),
        lambda row: (found := _find_mending(row)) and str(found[1]),
        href=_mending_href,
        is_sortable=False,
    ),
    ListColumn(
        "before",
        lazy_gettext("Last month"),
        lambda row: row.month_before_yen,
        ValueKind.YEN,
        is_first_shown=False,
    ),
    ListColumn(
        "month",
        lazy_gettext("This month"),
        lambda row: row.month_yen,
        ValueKind.YEN,
        is_first_shown=False,
    ),
    ListColumn(
        "difference", lazy_gettext("Difference"), lambda row: row.difference_yen, ValueKind.YEN
    ),
    ListColumn(
        "issue",
        lazy_gettext("Ready to bill"),
        lambda row: row.to_issue_yen,
        ValueKind.YEN,
        Spot.AMOUNT,
    ),
)


def _build_form(given: Any) -> BillingMonthForm:
    form = BillingMonthForm(given)
    form.offer(today(), billed_through_on(today(), queries.policy(reading())))
    return form


def _render_preview(form: BillingMonthForm, session: WorkspaceSession) -> Response:
    form.validate()
    preview = long_work("billing_run", "preview_in_session")(session, clock(), form.through_on())
    asked = ask(BILLING)
    rows = asked.in_order(preview.rows)
    if asked.file_type:
        return asked.file_of(rows)
    return page_or_block(
        _TEMPLATE,
        "results",
        form=form,
        preview=preview,
        figures_of=outdated_figures_of(session),
        asked=asked,
        shown=asked.page_of(rows),
        latest=newest_run(reading(), KIND, f"{preview.through_on:%Y-%m}"),
    )
