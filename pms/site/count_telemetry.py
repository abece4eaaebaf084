"""Counts the days of telemetry that are over, and deletes the events of those that are closed."""

from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.prepared import one_of
from pms.rules.days import add_months
from pms.rules.telemetry import KEPT_MONTHS, first_open_day
from pms.site.counted_visits import counted_visits
from pms.site.models import TelemetryDay, TelemetryOpenDay, TelemetryReport

REPORTS_AT_ONCE: Final = 500


class Counting(NamedTuple):
    """How many days were counted by one step, whether there is more to do, and what failed."""

    days: int
    goes_on: bool
    failed_on: date | None = None
    failure: str = ""


def count_telemetry(
    session: Session, clock: Clock, *, most: int = REPORTS_AT_ONCE, after: date = date.min
) -> Counting:
    """Take one step: count a day anew, delete some reports of a closed one, or forget old figures.

    A day is counted whenever events came since, so a late one is never lost; once none may come
    it is closed, its reports go `most` at a time, and the salt of its visitors with the last.
    A day that cannot be counted is told and left as it is; `after` it, the others are counted.
    Nothing is noted in the audit: the run tells what was counted.
    """
    today = clock.today()
    day = _day_to_count(session, today, after)
    if day is not None:
        day_on = day.day_on
        try:
            with session.begin_nested():
                _count(session, day)
        except DBAPIError as failure:
            if failure.connection_invalidated:
                raise
            return Counting(0, True, day_on, str(failure.orig))
        if day_on < first_open_day(today):
            day.closed_at = clock.now()
        return Counting(1, True)
    closed = session.scalar(
        select(TelemetryOpenDay)
        .where(TelemetryOpenDay.closed_at.is_not(None))
        .order_by(TelemetryOpenDay.day_on)
        .limit(1)
    )
    if closed is not None:
        _delete_some(session, closed, most)
        return Counting(0, True)
    session.execute(
        delete(TelemetryDay)
        .where(TelemetryDay.day_on < add_months(today, -KEPT_MONTHS))
        .execution_options(synchronize_session=False)
    )
    return Counting(0, False)


def _day_to_count(session: Session, today: date, after: date) -> TelemetryOpenDay | None:
    """The earliest day that is over and has events nobody counted, or is to be closed; locked."""
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


def _count(session: Session, day: TelemetryOpenDay) -> None:
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


def _delete_some(session: Session, day: TelemetryOpenDay, most: int) -> None:
    ids = session.scalars(
        select(TelemetryReport.id).where(TelemetryReport.day_on == day.day_on).limit(most)
    ).all()
    session.execute(
        delete(TelemetryReport)
        .where(one_of(TelemetryReport.id, ids))
        .execution_options(synchronize_session=False)
    )
    if len(ids) < most:
        session.delete(day)
