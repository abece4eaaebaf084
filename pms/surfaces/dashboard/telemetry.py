"""The website's visits by day, page and campaign."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any, Final, NamedTuple

from flask import Response, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext

from pms.foundation.spreadsheet import Cell
from pms.rules.days import add_months, month_first
from pms.rules.enumerations import TelemetryAxis
from pms.rules.telemetry import KEPT_MONTHS, OTHER
from pms.site import visits
from pms.site.visits import DayOfVisits, WebsiteVisits
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.fields import ChoiceField, DayField, Optional
from pms.surfaces.forms import QueryForm, mark_unaccepted
from pms.surfaces.hypermedia import csv_answer, page_or_block
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.formats import axis_day, month, near_day
from pms.surfaces.request_scope import today

_USUAL_DAYS: Final = 28


class TelemetryForm(QueryForm):
    """A span of days; by default the last four weeks including today."""

    fromOn = DayField(lazy_gettext("From"), [Optional()])
    throughOn = DayField(lazy_gettext("Through"), [Optional()])
    of = ChoiceField(lazy_gettext("Group by"), [Optional()])

    def __init__(self, given: Any, today: date) -> None:
        super().__init__(given)
        self.of.choices = [("", ""), *((axis.value, label_of(axis)) for axis in TelemetryAxis)]
        self._today = today

    @property
    def first_on(self) -> date:
        usual = self.last_on - timedelta(days=_USUAL_DAYS - 1)
        return self._find_valid_value(self.fromOn) or usual

    @property
    def last_on(self) -> date:
        return self._find_valid_value(self.throughOn) or self._today

    @property
    def axis(self) -> TelemetryAxis:
        return TelemetryAxis(self._find_valid_value(self.of) or TelemetryAxis.DAY)

    def validate(self, extra_validators: Any = None) -> bool:
        """Refuse a span that ends before it begins, or is longer than `KEPT_MONTHS`."""
        is_sound = bool(super().validate(extra_validators))
        if is_sound and self.first_on > self.last_on:
            self.throughOn.errors = [
                *self.throughOn.errors,
                lazy_gettext("The end is before the start."),
            ]
        elif is_sound and self.first_on < add_months(self.last_on, -KEPT_MONTHS):
            message = lazy_gettext("Show at most %(months)s months at once.", months=KEPT_MONTHS)
            self.fromOn.errors = [*self.fromOn.errors, message]
        return is_sound and not self.errors

    def _find_valid_value(self, field: Any) -> Any:
        return None if field.errors else field.data


_MOST_DAYS: Final = 31
_MOST_WEEKS: Final = 16


class Bars(NamedTuple):
    """What a bar represents, and each bar's label with its page views and visitors."""

    what: str
    bars: Sequence[tuple[str, tuple[int, int]]]


def bars_of_days(days: Sequence[DayOfVisits]) -> Bars:
    """Return a bar per day, per week from Monday, or per month, depending on the span."""
    if len(days) <= _MOST_DAYS:
        return _build_bars(_("Day"), days, lambda day: day, axis_day)
    if len(days) <= _MOST_WEEKS * 7:
        return _build_bars(_("Week from"), days, _find_monday, near_day)
    return _build_bars(_("Month"), days, month_first, _format_month)


def _build_bars(
    what: str,
    days: Sequence[DayOfVisits],
    first_of: Callable[[date], date],
    label: Callable[[date], str],
) -> Bars:
    bars = []
    for first_on, several in groupby(days, lambda each: first_of(each.day_on)):
        met = list(several)
        seen = sum(each.views for each in met), sum(each.visitors for each in met)
        bars.append((label(first_on), seen))
    return Bars(what, bars)


def _find_monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _format_month(day: date) -> str:
    return month(day)


_MOST_SHOWN: Final = 10


@dashboard.get("/website/visits", roles=OFFICE, is_of_all_buildings=True)
def telemetry() -> Response:
    """Show the visits of a span of days."""
    form = TelemetryForm(request.args, today())
    is_sound = form.validate()
    found = visits.website_visits(reading(), form.first_on, form.last_on) if is_sound else None
    response = page_or_block(
        "dashboard/telemetry/page.html",
        "results",
        form=form,
        found=found,
        bars=bars_of_days(found.days) if found else None,
        axes=[axis for axis in TelemetryAxis if axis is not TelemetryAxis.DAY],
        most=_MOST_SHOWN,
        other=OTHER,
        is_new=found is not None
        and not found.views
        and visits.first_day_of_visits(reading()) is None,
    )
    return response if is_sound else mark_unaccepted(response)


@dashboard.get("/website/visits.csv", roles=OFFICE, is_of_all_buildings=True)
def telemetry_csv() -> Response:
    """Give the days, or the counts along another axis, as CSV."""
    form = TelemetryForm(request.args, today())
    if not form.validate():
        return telemetry()
    found = visits.website_visits(reading(), form.first_on, form.last_on)
    name = f"visits-{form.axis}-{form.first_on}-{form.last_on}.csv"
    if form.axis is TelemetryAxis.DAY:
        heads = [_("Day"), _("Page views"), _("Visitors")]
        days: list[list[Cell]] = [
            [f"{each.day_on}", each.views, each.visitors] for each in found.days
        ]
        return csv_answer(name, heads, days)
    return csv_answer(name, _list_heads(form.axis), _build_csv_rows(found, form.axis))


def _list_heads(axis: TelemetryAxis) -> list[str]:
    match axis:
        case TelemetryAxis.EVENT:
            return [_("Event"), _("Page"), _("Times"), _("Visitors")]
        case TelemetryAxis.CAMPAIGN:
            return [_("Campaign"), _("Page views"), _("Visitors")]
        case TelemetryAxis.REFERRER:
            return [_("Website"), _("Page views"), _("Visitors")]
    return [_("Page"), _("Page views"), _("Visitors")]


def _build_csv_rows(found: WebsiteVisits, axis: TelemetryAxis) -> Iterable[list[Cell]]:
    for each, path, times, visitors in found.seen[axis]:
        value = _("(others)") if each == OTHER else each
        if axis is TelemetryAxis.EVENT:
            yield [value, path, times, visitors]
        else:
            yield [value, times, visitors]
