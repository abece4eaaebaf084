"""Visits of the website."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.prepared import one_of
from pms.foundation.versions import KeptAnswers
from pms.rules.days import add_months
from pms.rules.enumerations import TelemetryAxis
from pms.rules.telemetry import (
    KEPT_MONTHS,
    Counted,
    KeptEvent,
    VisitCounts,
    first_open_day,
    referrer_host,
)
from pms.site.models import SiteConfiguration, TelemetryDay, TelemetryOpenDay, TelemetryReport

_decode: Final = msgspec.json.Decoder(list[KeptEvent]).decode


def read_events(text: str) -> list[KeptEvent]:
    """Return the events that `write_events` wrote."""
    return _decode(text)


_REPORTS_AT_ONCE = 100
Figures = Mapping[tuple[date, TelemetryAxis], Sequence[Counted]]


def counted_visits(session: Session, days: Sequence[date]) -> Figures:
    """Return how often each value of a day was seen, most frequent first, up to a limit.

    Visitors are distinguished only within a day. The website's own pages are not counted as
    referrers.
    """
    if not days:
        return {}
    address = session.scalar(select(SiteConfiguration.base_url))
    own_host = referrer_host(address) if address else ""
    figures: dict[tuple[date, TelemetryAxis], Sequence[Counted]] = {}
    reports = (
        select(TelemetryReport.day_on, TelemetryReport.events)
        .where(TelemetryReport.day_on.in_(days))
        .order_by(TelemetryReport.day_on)
        .execution_options(yield_per=_REPORTS_AT_ONCE)
    )
    # Day by day, so that the memory for one day is freed before the next.
    for day, of_day in groupby(session.execute(reports), key=itemgetter(0)):
        counts = VisitCounts(own_host)
        for _, facts in of_day:
            counts.count(read_events(facts))
        figures |= {(day, axis): counted for axis, counted in counts.figures().items()}
    return figures


REPORTS_AT_ONCE: Final = 500


class Counting(NamedTuple):
    """How many days one step counted, whether there is more to do, and what failed."""

    days: int
    goes_on: bool
    failed_on: date | None = None
    failure: str = ""


def count_telemetry(
    session: Session, clock: Clock, *, most: int = REPORTS_AT_ONCE, after: date = date.min
) -> Counting:
    """Run one step: recount a day, delete some reports of a closed one, or delete old figures.

    A past day is counted again whenever events were added, so late ones are not lost. Once it
    accepts no more events it is closed; its reports are deleted `most` at a time, and the salt of
    its visitors with the last. A day that cannot be counted is returned as `failed_on` and left as
    it is; the next step, with it as `after`, counts the others. Nothing is written to the audit:
    the run has the numbers.
    """
    today = clock.today()
    day = _day_to_count(session, today, after)
    if day is not None:
        # Recount a day, and close it once it accepts no more events.
        day_on = day.day_on
        try:
            with session.begin_nested():
                _replace_counts(session, day)
        except DBAPIError as failure:
            if failure.connection_invalidated:
                raise
            return Counting(0, True, day_on, str(failure.orig))
        if day_on < first_open_day(clock.today()):
            day.closed_at = clock.now()
        return Counting(1, True)
    closed = session.scalar(
        select(TelemetryOpenDay)
        .where(TelemetryOpenDay.closed_at.is_not(None))
        .order_by(TelemetryOpenDay.day_on)
        .limit(1)
    )
    if closed is not None:
        ids = session.scalars(
            select(TelemetryReport.id).where(TelemetryReport.day_on == closed.day_on).limit(most)
        ).all()
        session.execute(
            delete(TelemetryReport)
            .where(one_of(TelemetryReport.id, ids))
            .execution_options(synchronize_session=False)
        )
        if len(ids) < most:
            session.delete(closed)
        return Counting(0, True)
    session.execute(
        delete(TelemetryDay)
        .where(TelemetryDay.day_on < add_months(today, -KEPT_MONTHS))
        .execution_options(synchronize_session=False)
    )
    return Counting(0, False)


def _day_to_count(session: Session, today: date, after: date) -> TelemetryOpenDay | None:
    """Return the earliest past day with uncounted events, or that is to be closed; locked."""
    day = TelemetryOpenDay
    is_uncounted = (day.counted != day.events) & (day.day_on < today)
    return session.scalar(
        select(day)
        .where(
            day.closed_at.is_(None),
            is_uncounted | (day.day_on < first_open_day(today)),
            day.day_on > after,
        )
        .order_by(day.day_on)
        .limit(1)
        .with_for_update()
    )


def _replace_counts(session: Session, day: TelemetryOpenDay) -> None:
    session.execute(
        delete(TelemetryDay)
        .where(TelemetryDay.day_on == day.day_on)
        .execution_options(synchronize_session=False)
    )
    rows = [
        {"day_on": day.day_on, "axis": axis, **each._asdict()}
        for (_, axis), counted in counted_visits(session, [day.day_on]).items()
        for each in counted
    ]
    if rows:
        session.execute(insert(TelemetryDay), rows)
    day.counted = day.events


_NOBODY: Final = (0, 0)


class DayOfVisits(NamedTuple):
    """The page views of one day and their visitors."""

    day_on: date
    views: int
    visitors: int


@dataclass(frozen=True)
class WebsiteVisits:
    """Every day of a period, and the values along each axis, most frequent first.

    Visitors are added up by day: one who comes on two days is counted twice.
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
    """Return the visits from the first to the last day, both included.

    Days with events since their last count, such as today, are counted now.
    """
    uncounted = session.scalars(
        select(TelemetryOpenDay.day_on).where(
            TelemetryOpenDay.day_on.between(first_on, last_on),
            TelemetryOpenDay.counted != TelemetryOpenDay.events,
        )
    ).all()
    now = counted_visits(session, uncounted)
    rows = session.execute(
        select(TelemetryDay.day_on, TelemetryDay.times, TelemetryDay.visitors).where(
            TelemetryDay.axis == TelemetryAxis.DAY,
            TelemetryDay.day_on.between(first_on, last_on),
        )
    )
    visits_by_day = {day: (times, visitors) for day, times, visitors in rows}
    days = visits_by_day | {
        day: counted[0][2:] for (day, axis), counted in now.items() if axis is TelemetryAxis.DAY
    }
    count = (last_on - first_on).days + 1
    span = [first_on + timedelta(days=number) for number in range(count)]
    return WebsiteVisits(
        days=[DayOfVisits(day, *days.get(day, _NOBODY)) for day in span],
        seen=_by_value(session, first_on, last_on, uncounted, now),
    )


def first_day_of_visits(session: Session) -> date | None:
    """Return the earliest day with visits."""
    earliest = [
        session.scalar(select(func.min(model.day_on))) for model in (TelemetryDay, TelemetryOpenDay)
    ]
    return min((day for day in earliest if day is not None), default=None)


_SUMS: Final = KeptAnswers(most=4)


def _by_value(
    session: Session, first_on: date, last_on: date, uncounted: Sequence[date], now: Figures
) -> Mapping[TelemetryAxis, Sequence[Counted]]:
    # Figures of a day change while it is counted; closed days only disappear, the oldest first.
    open_days = session.execute(
        select(TelemetryOpenDay.day_on, TelemetryOpenDay.counted, TelemetryOpenDay.closed_at)
        .where(TelemetryOpenDay.day_on.between(first_on, last_on))
        .order_by(TelemetryOpenDay.day_on)
    ).all()
    earliest = session.scalar(select(TelemetryDay.day_on).order_by(TelemetryDay.day_on).limit(1))
    summed = _SUMS.answer(
        session,
        (first_on, last_on, tuple(uncounted)),
        (earliest, *map(tuple, open_days)),
        lambda: _sum_by_value(session, first_on, last_on, uncounted),
    )
    return {
        axis: _add_counts(
            summed[axis],
            [each for (_, of), counted in now.items() if of is axis for each in counted],
        )
        # Days are a list of their own.
        if axis is not TelemetryAxis.DAY
        else ()
        for axis in TelemetryAxis
    }


def _sum_by_value(
    session: Session, first_on: date, last_on: date, uncounted: Sequence[date]
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
    seen: dict[TelemetryAxis, list[Counted]] = {axis: [] for axis in TelemetryAxis}
    for axis, value, path, times, visitors in rows:
        seen[axis].append(Counted(value, path, int(times), int(visitors)))
    return {axis: _order_counts(found) for axis, found in seen.items()}


def _add_counts(ordered: Sequence[Counted], added: Sequence[Counted]) -> Sequence[Counted]:
    """Return the values in their order with those of days that were counted just now."""
    if not added:
        return ordered
    sums: defaultdict[tuple[str, str], list[Counted]] = defaultdict(list)
    for each in added:
        sums[each.value, each.path].append(each)
    same = [each for each in ordered if (each.value, each.path) not in sums]
    for each in ordered:
        if (each.value, each.path) in sums:
            sums[each.value, each.path].append(each)
    changed = [
        Counted(*key, sum(part.times for part in parts), sum(part.visitors for part in parts))
        for key, parts in sums.items()
    ]
    return _order_counts([*same, *changed])


def _order_counts(found: Sequence[Counted]) -> Sequence[Counted]:
    return sorted(found, key=lambda each: (-each.times, each.value, each.path))
