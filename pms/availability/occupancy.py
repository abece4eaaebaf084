"""Taken nights, vacancies and the occupancy by month."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Final, NamedTuple

from sqlalchemy import distinct, func, select
from sqlalchemy.orm import Session

from pms.availability.timeline import Bar, timeline
from pms.availability.units import FEW, taken_units
from pms.catalogue.models import ExternalBlock, Unit
from pms.foundation.errors import Refused
from pms.foundation.prepared import one_of
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers
from pms.reservations.changes import stay_of
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY, add_months, month_first, month_last, readable
from pms.rules.enumerations import Lifecycle
from pms.rules.unit_stays import Block, Span, Stay
from pms.rules.vacancy import Vacancy, block_span, held_spans, vacancy_for
from pms.workspaces.queries import counters, policy
from pms.workspaces.queries import policy as policy_of

MONTHS_AHEAD: Final = 24
MOST_RUNS: Final = 1_000


class BusyNights(NamedTuple):
    """A run of taken nights; the end day is free. `id` is stable when the run moves.

    `starts_on` and `arrives_on` tell of somebody who arrives on another day than the contract
    starts.
    """

    id: str
    first_on: date
    free_from_on: date
    changed_at: datetime
    starts_on: date | None = None
    arrives_on: date | None = None


def busy_nights(session: Session, unit_id: str, today: date) -> Sequence[BusyNights]:
    """Return the nights of all stays and manual blocks that are not over.

    Who filed no notice holds the unit without an end. Blocks from another calendar are left out,
    since that calendar publishes them itself. An open end, and one more than two years ahead, is cut
    off at two years.
    """
    question = select(Reservation).where(
        Reservation.unit_id == unit_id, Reservation.cancelled_at.is_(None)
    )
    rows, figures = session.scalars(question).all(), policy(session)
    # The nights before the next stay that its turnover needs cannot be sold either.
    turnover = timedelta(days=figures.turnover_days)
    spans = [
        span._replace(first_on=span.first_on - turnover)
        for span in held_spans(map(stay_of, rows), today, figures)
    ]
    changes = {row.id: row.updated_at for row in rows}
    arrivals = {row.id: (row.starts_on, readable(row.arrival_date)) for row in rows}
    blocks = session.scalars(
        select(ExternalBlock).where(
            ExternalBlock.unit_id == unit_id, ExternalBlock.feed_id.is_(None)
        )
    ).all()
    changes |= {block.id: block.updated_at for block in blocks}
    taken = [
        *spans,
        *(block_span(block.id, Block(block.first_on, block.last_on)) for block in blocks),
    ]
    found = (
        run and _with_arrival(run, arrivals.get(run.id), today)
        for span in taken
        for run in [_build_busy_nights(span, changes[span.id], today)]
    )
    runs = sorted((run for run in found if run is not None), key=lambda run: (run.first_on, run.id))
    return runs[:MOST_RUNS]


def _build_busy_nights(span: Span, changed_at: datetime, today: date) -> BusyNights | None:
    horizon_on = add_months(today, MONTHS_AHEAD)
    free_from_on = min(span.free_from_on or horizon_on, horizon_on)
    if span.free_from_on is not None and span.free_from_on <= max(today, span.first_on):
        return None
    if span.first_on >= horizon_on:
        return None
    return BusyNights(span.id, span.first_on, free_from_on, changed_at)


def _with_arrival(
    run: BusyNights, days: tuple[date | None, date | None] | None, today: date
) -> BusyNights:
    """Add the arrival to come of somebody who arrives on another day than the start."""
    starts_on, arrives_on = days or (None, None)
    if arrives_on is None or arrives_on == starts_on or arrives_on < today:
        return run
    return run._replace(starts_on=starts_on, arrives_on=arrives_on)


def vacancies(
    session: Session,
    unit_ids: Sequence[str],
    wanted: Stay,
    today: date,
    beside: Collection[str] = (),
) -> Mapping[str, Vacancy]:
    """Return the conflicts with a stay in each of the units, in two queries and the policy.

    The stays `beside` end before the wanted one within the same act and are ignored.
    """
    policy = policy_of(session)
    # A stay may be entered after it began; stays that ended between then and today count too.
    since = min(today, wanted.start_on) if isinstance(wanted.start_on, date) else today
    stays, blocks = taken_units(session, since, policy, unit_ids if len(unit_ids) <= FEW else None)
    return {
        unit_id: vacancy_for(
            wanted,
            [stay for stay in stays.get(unit_id, ()) if stay.id not in beside],
            blocks.get(unit_id, ()),
            today,
            policy,
        )
        for unit_id in unit_ids
    }


def vacancy_of(
    session: Session, unit_id: str, wanted: Stay, today: date, beside: Collection[str] = ()
) -> Vacancy:
    """Return the conflicts with a stay in one unit."""
    return vacancies(session, [unit_id], wanted, today, beside)[unit_id]


def refuse_following(
    session: Session,
    unit_id: str,
    wanted: Stay,
    today: date,
    *,
    beside: Collection[str] = (),
    follows: Collection[str] = (),
) -> None:
    """Raise `Refused` for a stay after a month-to-month resident without a notice.

    `follows` are the residents for whom staff confirmed it on a page that explains the effect.
    """
    for followed in vacancy_of(session, unit_id, wanted, today, beside).followed:
        if followed.is_month_to_month and followed.stay.id not in follows:
            raise Refused(
                "follows: the resident of this unit is month to month and has given no notice, so "
                "the unit has no date when it becomes free. Confirm this to book it from {day}.",
                day=readable(wanted.start_on),
            )


def refuse_unless_free(session: Session, unit_id: str, wanted: Stay, today: date) -> None:
    """Raise `Refused` when a reservation without a notice keeps the unit from being free.

    Reservations that take the nights themselves are left to the double-booking check, which names
    the dates; neither check reads blocks.
    """
    found = vacancy_of(session, unit_id, wanted, today)
    if found.followed and not found.conflicts:
        raise Refused(
            "unitId: the unit is not free from {day}: the reservation before it has no "
            "move-out notice.",
            day=readable(wanted.start_on),
        )


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
_BY_MONTH: Final = KeptAnswers()


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
    question = (today, months, building_id)
    state = counters(session, OCCUPANCY, CATALOGUE)
    return _BY_MONTH.answer(session, question, state, lambda: _ask_months(session, *question))


def _ask_months(
    session: Session, today: date, months: int, building_id: str | None
) -> Sequence[OccupancyMonth]:
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
) -> Sequence[OccupancyMonth]:
    runs = [
        run for id_ in unit_ids for run in _list_occupied_runs(bars.get(id_, ()), firsts[0], today)
    ]
    lived = _LivedDays(runs)
    months = [(first_on, min(month_last(first_on), today)) for first_on in firsts]
    return [
        OccupancyMonth(
            first_on,
            lived.through(last_on) - lived.through(first_on - ONE_DAY),
            len(unit_ids) * ((last_on - first_on).days + 1),
        )
        for first_on, last_on in months
    ]


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
