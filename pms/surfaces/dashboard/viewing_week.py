"""The viewings of a week, day by day."""

from datetime import date, timedelta
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import lazy_gettext

from pms.availability import units
from pms.enquiries import viewing_lists
from pms.enquiries.viewing_lists import ViewingSpan
from pms.rules.days import FIRST_DAY, LAST_DAY, ONE_DAY
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.record_choices import building_choices, office_choices
from pms.surfaces.fields import ChoiceField, DayField, Optional
from pms.surfaces.forms import QueryForm, asked_paging, mark_unaccepted
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.request_scope import today


class ViewingWeekForm(QueryForm):
    """A day of the week to show, and optionally a building and a host."""

    fromOn = DayField(lazy_gettext("Week of"), [Optional()])
    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])
    hostId = ChoiceField(lazy_gettext("Shown by"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.buildingId.choices = [("", str(lazy_gettext("All buildings"))), *building_choices()]
        self.hostId.choices = [("", str(lazy_gettext("Everyone"))), *office_choices()]


_WEEK: Final = timedelta(days=7)


@dashboard.get("/viewings", roles=OFFICE)
def viewings() -> Response:
    """Show the week from Monday to Sunday of the chosen day, by default this week."""
    form = ViewingWeekForm(request.args)
    is_sound = form.validate()
    day = form.fromOn.data if is_sound and form.fromOn.data else today()
    # The first and the last week of the calendar must be whole.
    first, last = FIRST_DAY + _WEEK, LAST_DAY - _WEEK
    within = min(max(day, first), last)
    first_on = within - timedelta(days=within.weekday())
    last_on = first_on + _WEEK - ONE_DAY
    span = ViewingSpan(first_on, last_on, form.buildingId.data or None, form.hostId.data or None)
    counts = viewing_lists.count_viewings(reading(), span) if is_sound else {}
    total = sum(counts.values())
    paging = asked_paging().within(total)
    found = viewing_lists.viewings_between(reading(), span, paging) if total else ()
    days = (first_on + timedelta(days=number) for number in range(7))
    by_day = {day: [viewing for viewing in found if viewing.on == day] for day in days}
    response = page_or_block(
        "dashboard/viewings/week.html",
        "results",
        form=form,
        days=by_day,
        counts=counts,
        total=total,
        paging=paging,
        labels=units.unit_labels(
            reading(), sorted({viewing.unit_id for viewing in found}), today()
        ),
        first_on=first_on,
        last_on=last_on,
        today=today(),
        before=_build_address(form, first_on - _WEEK),
        after=_build_address(form, first_on + _WEEK),
    )
    return response if is_sound else mark_unaccepted(response)


def _build_address(form: ViewingWeekForm, from_on: date) -> str:
    kept = {each.name: each.data for each in (form.buildingId, form.hostId) if each.data}
    return url_for("dashboard.viewings", fromOn=from_on.isoformat(), **kept)
