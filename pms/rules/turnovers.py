"""Which departures need a cleaning, when it may begin and when it is due."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

RECORDED_LATE: Final = timedelta(days=7)
"""How long after a departure a late record of it still creates a cleaning."""


@dataclass(frozen=True, slots=True)
class UnitStay:
    """A tenancy for cleaning: the effective start and the known end of living.

    `written_on` is the day of its last change; `is_as_first_written`: it was never changed.
    """

    id: str
    unit_id: str
    starts_on: date | None
    ends_on: date | None
    is_cancelled: bool
    written_on: date
    is_as_first_written: bool


@dataclass(frozen=True, slots=True)
class KnownTurnover:
    """A cleaning that a departure created before; `is_begun` once anyone worked on it."""

    id: str
    stay_id: str
    opens_on: date | None
    due_on: date | None
    is_begun: bool
    is_done: bool
    is_released: bool


class Turnover(NamedTuple):
    """A cleaning between two stays; without a known arrival it has no due day."""

    stay_id: str
    opens_on: date
    due_on: date | None


class MovedTurnover(NamedTuple):
    """A cleaning with changed days; a released one is needed again."""

    known: KnownTurnover
    becomes: Turnover


@dataclass(frozen=True, slots=True)
class TurnoverPlan:
    """The changes needed so that each coming departure has exactly one cleaning."""

    added: tuple[Turnover, ...] = ()
    moved: tuple[MovedTurnover, ...] = ()
    dropped: tuple[KnownTurnover, ...] = ()
    released: tuple[KnownTurnover, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.moved or self.dropped or self.released)


def plan_turnovers(
    stays: Collection[UnitStay], known: Iterable[KnownTurnover], today: date | None = None
) -> TurnoverPlan:
    """Plan the cleanings of whole units, given all their stays and all their turnovers.

    Departures are a filed move-out, a guest's check-out and the last day of a record left for
    another room, also of an owner resident; a contract end alone is none. A cleaning opens on that
    day and is due on the next effective start in the unit. A done one is unchanged; one without its
    departure is dropped, or released when somebody had begun it. Without `today` the unit's latest
    change is used as the day.
    """
    of_stay = {turnover.stay_id: turnover for turnover in known}
    wanted = {turnover.stay_id: turnover for turnover in _wanted_turnovers(stays)}
    days = _days_of_units(stays, today)
    added = tuple(
        wanted[stay.id]
        for stay in stays
        if stay.id in wanted
        and stay.id not in of_stay
        and _is_asked_for(stay, wanted[stay.id], days[stay.unit_id])
    )
    kept = [
        (turnover, wanted[turnover.stay_id])
        for turnover in of_stay.values()
        if turnover.stay_id in wanted
    ]
    gone = [turnover for turnover in of_stay.values() if turnover.stay_id not in wanted]
    return TurnoverPlan(
        added,
        tuple(
            MovedTurnover(turnover, becomes)
            for turnover, becomes in kept
            if _is_moved(turnover, becomes)
        ),
        tuple(turnover for turnover in gone if not turnover.is_begun),
        tuple(turnover for turnover in gone if turnover.is_begun and not turnover.is_released),
    )


def _wanted_turnovers(stays: Iterable[UnitStay]) -> Iterator[Turnover]:
    living = [stay for stay in stays if not stay.is_cancelled]
    arrivals: dict[str, list[tuple[date, str]]] = defaultdict(list)
    for stay in living:
        if stay.starts_on is not None:
            arrivals[stay.unit_id].append((stay.starts_on, stay.id))
    for stay in living:
        if stay.ends_on is not None:
            yield Turnover(stay.id, stay.ends_on, _next_arrival(stay, arrivals[stay.unit_id]))


def _next_arrival(stay: UnitStay, arrivals: Iterable[tuple[date, str]]) -> date | None:
    assert stay.ends_on is not None
    later = (on for on, id_ in arrivals if on >= stay.ends_on and id_ != stay.id)
    return min(later, default=None)


def _days_of_units(stays: Iterable[UnitStay], today: date | None) -> Mapping[str, date]:
    days: dict[str, date] = {}
    for stay in stays:
        day = today or stay.written_on
        days[stay.unit_id] = max(day, days.get(stay.unit_id, day))
    return days


def _is_asked_for(stay: UnitStay, turnover: Turnover, today: date) -> bool:
    """Whether a departure needs a cleaning: not imported history, but a slightly late record.

    Not if somebody has moved in since.
    """
    if turnover.opens_on >= today:
        return True
    is_recent = turnover.opens_on >= today - RECORDED_LATE and not stay.is_as_first_written
    return is_recent and (turnover.due_on is None or turnover.due_on >= today)


def _is_moved(known: KnownTurnover, becomes: Turnover) -> bool:
    has_other_days = (known.opens_on, known.due_on) != (becomes.opens_on, becomes.due_on)
    return not known.is_done and (known.is_released or has_other_days)
