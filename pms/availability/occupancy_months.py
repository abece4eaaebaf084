"""How full the units were, month by month: days lived in of the days there were."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.availability.timeline import Bar, timeline
from pms.catalogue.models import Unit
from pms.foundation.prepared import one_of
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
    firsts = _firsts(today, months)
    return _months(firsts, timeline(session, unit_ids, firsts[0], today), unit_ids, today)


def occupancy_of_buildings(
    session: Session, building_ids: Sequence[str], today: date, months: int = 12
) -> Mapping[str, Sequence[OccupancyMonth]]:
    """Return the same months of several buildings apart, in as many questions as of one."""
    units: dict[str, list[str]] = {building_id: [] for building_id in building_ids}
    asked = select(Unit.id, Unit.building_id).where(one_of(Unit.building_id, building_ids))
    for unit_id, building_id in session.execute(asked):
        units[building_id].append(unit_id)
    firsts = _firsts(today, months)
    every = [unit_id for those in units.values() for unit_id in those]
    bars = timeline(session, every, firsts[0], today)
    return {
        building_id: _months(firsts, bars, those, today) for building_id, those in units.items()
    }


def _firsts(today: date, months: int) -> list[date]:
    return [add_months(month_first(today), back) for back in range(1 - months, 1)]


def _months(
    firsts: Sequence[date],
    bars: Mapping[str, Iterable[Bar]],
    unit_ids: Sequence[str],
    today: date,
) -> Sequence[OccupancyMonth]:
    lived = dict.fromkeys(firsts, 0)
    for unit_id in unit_ids:
        for first_on, last_on in _runs(bars.get(unit_id, ()), firsts[0], today):
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
