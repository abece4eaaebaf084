"""The occupancy by month."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import accumulate
from typing import Final, NamedTuple

from sqlalchemy import distinct, func, select
from sqlalchemy.orm import Session

from pms.availability.timeline import Bar, timeline
from pms.catalogue.models import Unit
from pms.foundation.kept_figures import SharedAnswers
from pms.foundation.prepared import one_of
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY, add_months, month_first, month_last
from pms.rules.enumerations import Lifecycle
from pms.workspaces.queries import counters


class OccupancyMonth(NamedTuple):
    """One month: occupied unit days and all unit days; the present month counts up to today."""

    month_on: date
    lived_days: int
    unit_days: int

    @property
    def percent(self) -> int:
        """The occupancy in whole percent, rounded down: 100 means every day of every unit."""
        return self.lived_days * 100 // self.unit_days if self.unit_days else 0


class OccupiedUnits(NamedTuple):
    """The number of occupied units, and of all units."""

    occupied: int
    units: int


_OCCUPIED: Final = KeptAnswers()


def occupied_units(session: Session, today: date) -> OccupiedUnits:
    """Return the number of units occupied today; the count is cached until a change."""
    state = counters(session, OCCUPANCY, CATALOGUE)
    return _OCCUPIED.answer(session, today, state, lambda: _count_occupied(session))


def _count_occupied(session: Session) -> OccupiedUnits:
    living = select(func.count(distinct(Reservation.unit_id))).where(
        Reservation.lifecycle.in_((Lifecycle.LIVING, Lifecycle.NOTICE_FILED))
    )
    units = select(func.count(Unit.id))
    return OccupiedUnits(session.scalar(living) or 0, session.scalar(units) or 0)


def occupancy_months(
    session: Session, today: date, months: int = 12, building_id: str | None = None
) -> Sequence[OccupancyMonth]:
    """Return the occupancy of the months up to the present one, of all buildings or of one.

    A stay occupies its unit from its effective start to the day before the move-out, so a day of
    departure and arrival counts once. External blocks, bookings that nobody moved into and stays
    whose start cannot be read do not count. The result is cached until a change.
    """
    state = today, counters(session, OCCUPANCY, CATALOGUE)
    return OCCUPIED_MONTHS.answer(
        session,
        AskedOccupancy(months, building_id),
        state,
        lambda: _ask_months(session, today, months, building_id),
    )


class AskedOccupancy(NamedTuple):
    """For how many months the occupancy is asked, and of which building, or of all."""

    months: int
    building_id: str | None


OCCUPIED_MONTHS: Final[SharedAnswers[AskedOccupancy, tuple[OccupancyMonth, ...]]] = SharedAnswers(
    "occupancy",
    AskedOccupancy,
    tuple[OccupancyMonth, ...],
    lambda session, clock, asked: occupancy_months(session, clock.today(), *asked),
    usual=lambda *_: AskedOccupancy(12, None),
)


def _ask_months(
    session: Session, today: date, months: int, building_id: str | None
) -> tuple[OccupancyMonth, ...]:
    wanted = select(Unit.id)
    if building_id:
        wanted = wanted.where(Unit.building_id == building_id)
    unit_ids = session.scalars(wanted).all()
    firsts = _list_first_days(today, months)
    return _build_months(
        firsts, timeline(session, unit_ids, firsts[0], today, today), unit_ids, today
    )


def occupancy_of_buildings(
    session: Session, building_ids: Sequence[str], today: date, months: int = 12
) -> Mapping[str, Sequence[OccupancyMonth]]:
    """Return the same months for several buildings, in as many queries as for one."""
    units: dict[str, list[str]] = {building_id: [] for building_id in building_ids}
    asked = select(Unit.id, Unit.building_id).where(one_of(Unit.building_id, building_ids))
    for unit_id, building_id in session.execute(asked):
        units[building_id].append(unit_id)
    firsts = _list_first_days(today, months)
    every = [unit_id for those in units.values() for unit_id in those]
    bars = timeline(session, every, firsts[0], today, today)
    return {
        building_id: _build_months(firsts, bars, those, today)
        for building_id, those in units.items()
    }


def _list_first_days(today: date, months: int) -> list[date]:
    return [add_months(month_first(today), back) for back in range(1 - months, 1)]


def _build_months(
    firsts: Sequence[date],
    bars: Mapping[str, Iterable[Bar]],
    unit_ids: Sequence[str],
    today: date,
) -> tuple[OccupancyMonth, ...]:
    runs = [
        run for id_ in unit_ids for run in _list_occupied_runs(bars.get(id_, ()), firsts[0], today)
    ]
    lived = _LivedDays(runs)
    months = [(first_on, min(month_last(first_on), today)) for first_on in firsts]
    return tuple(
        OccupancyMonth(
            first_on,
            lived.through(last_on) - lived.through(first_on - ONE_DAY),
            len(unit_ids) * ((last_on - first_on).days + 1),
        )
        for first_on, last_on in months
    )


def _list_occupied_runs(
    bars: Iterable[Bar], from_on: date, today: date
) -> Iterator[tuple[date, date]]:
    """Yield the runs of occupied days, each day once, both ends included."""
    taken_to = from_on - ONE_DAY
    for bar in bars:
        if bar.is_block or bar.is_unconfirmed or not bar.is_start_known:
            continue
        first_on = max(bar.first_on, taken_to + ONE_DAY)
        last_on = min(bar.last_on - ONE_DAY if bar.last_on else today, today)
        if first_on <= last_on:
            yield first_on, last_on
            taken_to = last_on


class _LivedDays:
    """The days of many runs, which can be summed up to any day without reading the runs again."""

    def __init__(self, runs: Sequence[tuple[date, date]]) -> None:
        self._begun = _Days(first_on.toordinal() - 1 for first_on, _ in runs)
        self._over = _Days(last_on.toordinal() for _, last_on in runs)

    def through(self, day: date) -> int:
        """Return how many days of the runs are on or before this day."""
        return self._begun.days_to(day.toordinal()) - self._over.days_to(day.toordinal())


class _Days:
    """Sorted ordinals of days, with the sums of all before each."""

    def __init__(self, days: Iterable[int]) -> None:
        self._days = sorted(days)
        self._sums = [0, *accumulate(self._days)]

    def days_to(self, day: int) -> int:
        """Return the sum of the differences between this day and each day on or before it."""
        earlier = bisect_right(self._days, day)
        return day * earlier - self._sums[earlier]
