"""What the website saw over a span of days: counted days, and what is not counted yet."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.rules.enumerations import TelemetryAxis
from pms.rules.visit_counts import Counted
from pms.site.counted_visits import Figures, counted_visits
from pms.site.models import TelemetryDay, TelemetryOpenDay

_NOBODY: Final = (0, 0)


class DayOfVisits(NamedTuple):
    """The page views of one day and how many visitors they were of."""

    day_on: date
    views: int
    visitors: int


@dataclass(frozen=True)
class WebsiteVisits:
    """Every day of a span, and what was seen along each axis, the most frequent first.

    Visitors are added up day by day: who comes on two days is two.
    """

    days: Sequence[DayOfVisits]
    seen: Mapping[TelemetryAxis, Sequence[Counted]]

    @property
    def views(self) -> int:
        return sum(day.views for day in self.days)

    @property
    def visitors(self) -> int:
        return sum(day.visitors for day in self.days)

    @property
    def events(self) -> int:
        return sum(each.times for each in self.seen[TelemetryAxis.EVENT])


def website_visits(session: Session, first_on: date, last_on: date) -> WebsiteVisits:
    """Return the visits of the days from the first to the last, both included.

    A day of which events came since it was counted, today above all, is counted now.
    """
    uncounted = session.scalars(
        select(TelemetryOpenDay.day_on).where(
            TelemetryOpenDay.day_on.between(first_on, last_on),
            TelemetryOpenDay.counted != TelemetryOpenDay.events,
        )
    ).all()
    now = counted_visits(session, uncounted)
    days = _by_day(session, first_on, last_on) | {
        day: counted[0][2:] for (day, axis), counted in now.items() if axis is TelemetryAxis.DAY
    }
    count = (last_on - first_on).days + 1
    span = [first_on + timedelta(days=number) for number in range(count)]
    return WebsiteVisits(
        days=[DayOfVisits(day, *days.get(day, _NOBODY)) for day in span],
        seen=_by_value(session, first_on, last_on, uncounted, now),
    )


def first_day_of_visits(session: Session) -> date | None:
    """Return the earliest day that anything is known of."""
    earliest = [
        session.scalar(select(func.min(model.day_on))) for model in (TelemetryDay, TelemetryOpenDay)
    ]
    return min((day for day in earliest if day is not None), default=None)


def _by_day(session: Session, first_on: date, last_on: date) -> dict[date, tuple[int, int]]:
    rows = session.execute(
        select(TelemetryDay.day_on, TelemetryDay.times, TelemetryDay.visitors).where(
            TelemetryDay.axis == TelemetryAxis.DAY,
            TelemetryDay.day_on.between(first_on, last_on),
        )
    )
    return {day: (times, visitors) for day, times, visitors in rows}


def _by_value(
    session: Session, first_on: date, last_on: date, uncounted: Sequence[date], now: Figures
) -> Mapping[TelemetryAxis, Sequence[Counted]]:
    day = TelemetryDay
    rows = session.execute(
        select(day.axis, day.value, day.path, func.sum(day.times), func.sum(day.visitors))
        .where(
            day.axis != TelemetryAxis.DAY,
            day.day_on.between(first_on, last_on),
            day.day_on.not_in(uncounted),
        )
        .group_by(day.axis, day.value, day.path)
    )
    seen: dict[TelemetryAxis, defaultdict[tuple[str, str], tuple[int, int]]] = {
        axis: defaultdict(lambda: _NOBODY) for axis in TelemetryAxis
    }
    for axis, value, path, times, visitors in rows:
        seen[axis][value, path] = (int(times), int(visitors))
    for (_, axis), counted in now.items():
        if axis is TelemetryAxis.DAY:
            continue
        for value, path, times, visitors in counted:
            before = seen[axis][value, path]
            seen[axis][value, path] = (before[0] + times, before[1] + visitors)
    return {axis: _ordered(found) for axis, found in seen.items()}


def _ordered(found: Mapping[tuple[str, str], tuple[int, int]]) -> Sequence[Counted]:
    named = [Counted(*value, *figures) for value, figures in found.items()]
    return sorted(named, key=lambda each: (-each.times, each.value, each.path))
