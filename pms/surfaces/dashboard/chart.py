"""The occupancy chart of units and days, and the same facts as a list."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any, Final, NamedTuple

from flask import Response, request
from flask_babel import lazy_gettext

from pms.arrivals import reservation_headers, reservation_record
from pms.availability import timeline, units
from pms.availability.timeline import Bar
from pms.catalogue.charted_units import ChartedUnit, charted_units
from pms.foundation.phrases import Bilingual
from pms.rules.availability import UnknownKinds, read_excluded_kinds
from pms.rules.days import add_months, month_first
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.surfaces.dashboard.filter_chips import EXCLUDED, LEFT_OUT
from pms.surfaces.dashboard.gate import EVERYBODY, OFFICE, dashboard, reading
from pms.surfaces.dashboard.next_steps import next_button
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.dashboard.reservation_prices import tabs_of, way_of
from pms.surfaces.fields import ChoiceField, DayField, Optional, TextField
from pms.surfaces.forms import QueryForm, asked_paging
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.reader_choice import this_page_with
from pms.surfaces.request_scope import today

_MOVABLE: Final = frozenset({Lifecycle.LIVING, Lifecycle.NOTICE_FILED})


@dashboard.get("/reservations/<reservation_id>/card", roles=OFFICE)
def reservation_card(reservation_id: str) -> Response:
    """Show the card of a stay: links to its tabs, and how it can be moved."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    way = way_of(header)
    # The day of the arrival, where it is not the start of the contract.
    arrives_on = reservation_record.arrival_day(reading(), header.id)
    arrival = None if arrives_on == header.start_on else arrives_on
    return page_or_block(
        "dashboard/chart/card.html",
        "card",
        header=header,
        arrives_on=arrival,
        way=way,
        step_button=next_button(way, header.id, header.version),
        tabs=tabs_of(reservation_id, "reservation_card"),
        damaged=refusal_text(header.damaged) if header.damaged else None,
        is_movable=header.lifecycle in _MOVABLE and header.kind is not ReservationKind.GUEST,
    )


DEFAULT_DAYS: Final = 28
_DAYS_BEFORE_TODAY: Final = 3
_SPANS: Final = (
    ("28", lazy_gettext("4 weeks")),
    ("14", lazy_gettext("2 weeks")),
    ("56", lazy_gettext("8 weeks")),
    ("31", lazy_gettext("1 month")),
    ("92", lazy_gettext("3 months")),
)
_MONTHS: Final = {31: 1, 92: 3}
"""The spans that begin on the first of a month: their number of days, and of months."""
_QUARTER_DAYS: Final = 92


class ChartForm(QueryForm):
    """The filters above the chart; the arrows beside them move the first day."""

    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])
    q = TextField(lazy_gettext("Unit or building"), [Optional()])
    days = ChoiceField(lazy_gettext("Shown"), [Optional()], choices=_SPANS)
    startDate = DayField(lazy_gettext("From"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.buildingId.choices = [("", lazy_gettext("All buildings")), *building_choices()]

    def span_days(self) -> int:
        """Return the number of days shown."""
        return DEFAULT_DAYS if self.days.errors else int(self.days.data or DEFAULT_DAYS)

    def first_on(self, today: date) -> date:
        """Return the first day shown; without a given day it is a few days before today.

        Spans of months begin on the first of the month.
        """
        if self.span_days() in _MONTHS:
            return month_first(self.startDate.data or today)
        return self.startDate.data or today - timedelta(days=_DAYS_BEFORE_TODAY)


class AvailabilityForm(ChartForm):
    """The filters of the list; by default owner residents are left out (Availability)."""

    excludeRecords = ChoiceField(
        lazy_gettext("Owner residents"), coerce=str, choices=EXCLUDED, default=LEFT_OUT
    )

    def excluded_kinds(self) -> frozenset[ReservationKind]:
        """Return the kinds of reservations whose units are left out of the list."""
        kinds = read_excluded_kinds(
            None if self.excludeRecords.errors else self.excludeRecords.data
        )
        return frozenset() if isinstance(kinds, UnknownKinds) else kinds


_LIST_TEMPLATE: Final = "dashboard/chart/availability.html"


@dashboard.get("/availability", roles=EVERYBODY)
def availability() -> Response:
    """Show the availability of the filtered units."""
    form = AvailabilityForm(request.args)
    form.validate()
    paging = asked_paging()
    building_id = None if form.buildingId.errors else form.buildingId.data
    found = charted_units(
        reading(),
        building_id=building_id,
        text=form.q.data or "",
        paging=paging,
        left_out=units.units_left_out(reading(), form.excluded_kinds(), today()),
    )
    labels = units.unit_labels(reading(), [unit.id for unit in found.units], today())
    return page_or_block(
        _LIST_TEMPLATE, "lines", form=form, found=found, labels=labels, paging=paging, today=today()
    )


_LEAVING: Final = frozenset(
    {
        Lifecycle.NOTICE_FILED,
        Lifecycle.MOVED_OUT,
        Lifecycle.SETTLED,
        Lifecycle.REFUNDED,
        Lifecycle.TRANSFERRED,
    }
)
_COMING: Final = frozenset({Lifecycle.BOOKED, Lifecycle.CONFIRMED})


class Window(NamedTuple):
    """The days shown; columns are half days, or whole days for three months, counted from 1."""

    first_on: date
    days: int

    @property
    def last_on(self) -> date:
        return self.first_on + timedelta(days=self.days - 1)

    @property
    def parts(self) -> int:
        """The number of columns of a day."""
        return 1 if self.days == _QUARTER_DAYS else 2

    @property
    def columns(self) -> int:
        return self.days * self.parts

    def each_day(self) -> Sequence[date]:
        """Return every day shown."""
        return [self.first_on + timedelta(days=place) for place in range(self.days)]

    def noon(self, day: date | None) -> int:
        """Return the grid line of a day's noon within the window; for None the last line."""
        if day is None:
            return self.columns + 1
        return self._clamp_line((day - self.first_on).days * self.parts + self.parts)

    def morning(self, day: date) -> int:
        """Return the grid line at which a day begins, within the window."""
        return self._clamp_line((day - self.first_on).days * self.parts + 1)

    def _clamp_line(self, line: int) -> int:
        return min(max(line, 1), self.columns + 1)

    def day_after_steps(self, steps: int) -> date:
        """Return the first day after some steps, each of half the days or of all the months."""
        if self.days in _MONTHS:
            return add_months(self.first_on, steps * _MONTHS[self.days])
        return self.first_on + timedelta(days=steps * (self.days // 2))


class ChartBar(NamedTuple):
    """A bar in the row of its unit between two grid lines; uncertain from `soft_line` on."""

    bar: Bar
    tone: str
    lane: int
    from_line: int
    to_line: int
    soft_line: int | None
    goes_on: bool

    @property
    def certain_to(self) -> int:
        """The grid line up to which the bar is certain."""
        return self.to_line if self.soft_line is None else self.soft_line


class ChartRow(NamedTuple):
    """One unit with its bars."""

    unit: ChartedUnit
    bars: Sequence[ChartBar]
    lanes: int


class ChartBuilding(NamedTuple):
    """The units of one building."""

    name: Bilingual
    rows: Sequence[ChartRow]


def plan_rows(
    units: Iterable[ChartedUnit], bars_of: Mapping[str, Sequence[Bar]], window: Window
) -> Sequence[ChartBuilding]:
    """Return the rows of the chart by building; the units must be ordered by building."""
    return [
        ChartBuilding(name, [_build_row(unit, bars_of.get(unit.id, ()), window) for unit in group])
        for (_, name), group in groupby(units, lambda unit: (unit.building_id, unit.building))
    ]


def _build_row(unit: ChartedUnit, bars: Sequence[Bar], window: Window) -> ChartRow:
    free_from: list[int] = []  # the line from which each lane is free
    placed = []
    for bar in bars:
        # A block covers its last day until the day's end; a stay ends at noon.
        from_line = window.morning(bar.first_on) if bar.is_block else window.noon(bar.first_on)
        to_line = window.noon(bar.last_on)
        if bar.is_block and bar.last_on is not None:
            to_line = window.morning(bar.last_on + timedelta(days=1))
        to_line = max(to_line, from_line + 1)
        soft_line = None
        if bar.soft_from is not None and (line := window.morning(bar.soft_from)) < to_line:
            soft_line = max(line, from_line)
        is_open = bar.last_on is None or bar.last_on > window.last_on
        if bar.is_block:
            tone = "block"
        elif bar.kind == ReservationKind.OWNER_RESIDENT:
            tone = "plain"
        elif bar.lifecycle in _LEAVING:
            tone = "warn"
        else:
            tone = "info" if bar.lifecycle in _COMING else "ok"
        shown_bar = ChartBar(bar, tone, 1, from_line, to_line, soft_line, is_open)
        lane = next((at for at, line in enumerate(free_from) if line <= shown_bar.from_line), None)
        if lane is None:
            lane = len(free_from)
            free_from.append(0)
        free_from[lane] = shown_bar.to_line
        placed.append(shown_bar._replace(lane=lane + 1))
    return ChartRow(unit, placed, max(1, len(free_from)))


_UNITS_A_PAGE: Final = 80
_CHART_TEMPLATE: Final = "dashboard/chart/page.html"


@dashboard.get("/chart", roles=EVERYBODY)
def chart() -> Response:
    """Show the chart of the filtered units and days."""
    form = ChartForm(request.args)
    form.validate()
    window = Window(form.first_on(today()), form.span_days())
    if not form.startDate.errors:
        form.startDate.data, form.startDate.raw_data = window.first_on, None
    paging = asked_paging(_UNITS_A_PAGE)
    building_id = None if form.buildingId.errors else form.buildingId.data
    found = charted_units(reading(), building_id=building_id, text=form.q.data or "", paging=paging)
    bars = timeline.timeline(
        reading(), [unit.id for unit in found.units], window.first_on, window.last_on, today()
    )
    return page_or_block(
        _CHART_TEMPLATE,
        "chart",
        form=form,
        window=window,
        buildings=plan_rows(found.units, bars, window),
        total=found.total,
        paging=paging,
        today=today(),
        moved=_moved_address,
    )


def _moved_address(window: Window, steps: int) -> str:
    """Return the address of the same chart some steps later or earlier; 0 leads to today."""
    first_on = window.day_after_steps(steps).isoformat() if steps else ""
    return this_page_with(startDate=first_on)
