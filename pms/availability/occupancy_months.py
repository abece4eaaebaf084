"""How full the units were, month by month: days lived in of the days there were."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.availability.timeline import Bar, timeline
from pms.catalogue.models import Unit
from pms.rules.days import ONE_DAY, add_months, month_first, month_last


class OccupancyMonth(NamedTuple):
    """One month: unit days lived in, and unit days in all; the present one counts to today."""

    month_on: date
    lived_days: int
    unit_days: int

    @property
    def percent(self) -> int:
        """The share in whole percent, rounded down, so that 100 means every day of every unit."""
        return self.lived_days * 100 // self.unit_days if self.unit_days else 0


def occupancy_months(
    session: Session, today: date, months: int = 12, building_id: str | None = None
) -> Sequence[OccupancyMonth]:
    """Return the months up to the present one, of all buildings or of one.

    A stay lives in its unit from its effective start up to the day before the move-out, so the
    day one leaves and another comes counts once. External blocks are nobody living there.
    """
    wanted = select(Unit.id)
    if building_id:
        wanted = wanted.where(Unit.building_id == building_id)
    unit_ids = session.scalars(wanted).all()
    firsts = [add_months(month_first(today), back) for back in range(1 - months, 1)]
    lived = dict.fromkeys(firsts, 0)
    for bars in timeline(session, unit_ids, firsts[0], today).values():
        for first_on, last_on in _runs(bars, firsts[0], today):
            _spread(lived, first_on, last_on)
    return [
        OccupancyMonth(
            first_on,
            lived[first_on],
            len(unit_ids) * _days(first_on, min(month_last(first_on), today)),
        )
        for first_on in firsts
    ]


def _runs(bars: Iterable[Bar], from_on: date, today: date) -> Iterator[tuple[date, date]]:
    """Give the days lived in, each day once, both ends included."""
    taken_to = from_on - ONE_DAY
    for bar in bars:
        if bar.is_block:
            continue
        first_on = max(bar.first_on, taken_to + ONE_DAY)
        last_on = min(bar.last_on - ONE_DAY if bar.last_on else today, today)
        if first_on <= last_on:
            yield first_on, last_on
            taken_to = last_on


def _spread(lived: dict[date, int], first_on: date, last_on: date) -> None:
    while first_on <= last_on:
        end_on = min(month_last(first_on), last_on)
        lived[month_first(first_on)] += _days(first_on, end_on)
        first_on = end_on + timedelta(days=1)


def _days(first_on: date, last_on: date) -> int:
    return (last_on - first_on).days + 1
