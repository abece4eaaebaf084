"""Lays stays out over a run of days, in half days: who leaves at noon makes room at noon."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Final, NamedTuple

from pms.availability.timeline import Bar
from pms.catalogue.charted_units import ChartedUnit
from pms.foundation.bilingual import Bilingual
from pms.rules.enumerations import Lifecycle, ReservationKind

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
    """The days that are shown; columns are half days, counted from 1."""

    first_on: date
    days: int

    @property
    def last_on(self) -> date:
        return self.first_on + timedelta(days=self.days - 1)

    @property
    def columns(self) -> int:
        return self.days * 2

    def each_day(self) -> Sequence[date]:
        """Return every day shown."""
        return [self.first_on + timedelta(days=place) for place in range(self.days)]

    def noon(self, day: date | None) -> int:
        """Return the line of a day's noon, cut to what is shown; without a day the last line."""
        if day is None:
            return self.columns + 1
        return min(max((day - self.first_on).days * 2 + 2, 1), self.columns + 1)

    def morning(self, day: date) -> int:
        """Return the line at which a day begins, cut to what is shown."""
        return min(max((day - self.first_on).days * 2 + 1, 1), self.columns + 1)


class Placed(NamedTuple):
    """One bar on the line of its unit: from line to line; from `soft_line` on it is uncertain."""

    bar: Bar
    tone: str
    lane: int
    from_line: int
    to_line: int
    soft_line: int | None
    goes_on: bool

    @property
    def certain_to(self) -> int:
        """The line to which the bar is certain."""
        return self.to_line if self.soft_line is None else self.soft_line


class ChartRow(NamedTuple):
    """One unit with its bars."""

    unit: ChartedUnit
    bars: Sequence[Placed]
    lanes: int


class ChartBuilding(NamedTuple):
    """The units of one building."""

    name: Bilingual
    rows: Sequence[ChartRow]


def planned(
    units: Iterable[ChartedUnit], bars_of: Mapping[str, Sequence[Bar]], window: Window
) -> Sequence[ChartBuilding]:
    """Lay out the bars of units that come in the order of their buildings."""
    return [
        ChartBuilding(name, [_row(unit, bars_of.get(unit.id, ()), window) for unit in group])
        for (_, name), group in groupby(units, lambda unit: (unit.building_id, unit.building))
    ]


def _row(unit: ChartedUnit, bars: Sequence[Bar], window: Window) -> ChartRow:
    free_from: list[int] = []  # the line from which each lane is free
    placed = []
    for bar in bars:
        one = _placed(bar, window)
        lane = next((at for at, line in enumerate(free_from) if line <= one.from_line), None)
        if lane is None:
            lane = len(free_from)
            free_from.append(0)
        free_from[lane] = one.to_line
        placed.append(one._replace(lane=lane + 1))
    return ChartRow(unit, placed, max(1, len(free_from)))


def _placed(bar: Bar, window: Window) -> Placed:
    # A block holds its last day to the end; a stay leaves at noon.
    from_line = window.morning(bar.first_on) if bar.is_block else window.noon(bar.first_on)
    to_line = window.noon(bar.last_on)
    if bar.is_block and bar.last_on is not None:
        to_line = window.morning(bar.last_on + timedelta(days=1))
    to_line = max(to_line, from_line + 1)
    soft_line = None
    if bar.soft_from is not None and (line := window.morning(bar.soft_from)) < to_line:
        soft_line = max(line, from_line)
    is_open = bar.last_on is None or bar.last_on > window.last_on
    return Placed(bar, _tone(bar), 1, from_line, to_line, soft_line, is_open)


def _tone(bar: Bar) -> str:
    if bar.is_block:
        return "block"
    if bar.kind == ReservationKind.OWNER_RESIDENT:
        return "plain"
    if bar.lifecycle in _LEAVING:
        return "warn"
    return "info" if bar.lifecycle in _COMING else "ok"
