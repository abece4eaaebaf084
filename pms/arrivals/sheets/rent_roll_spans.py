"""Sets the tenancies of a rent roll side by side: what contradicts, and what each one holds."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NamedTuple

from pms.arrivals.sheets.reading import Row
from pms.arrivals.sheets.rent_roll_rows import RentRollRow, Standing, Tenancy
from pms.rules.days import ONE_DAY

OPEN_ENDED: Final = "…"
_LIVES_THERE: Final = (Standing.LIVING, Standing.LEAVING)


@dataclass(frozen=True, slots=True)
class Held:
    """The days a tenancy holds its unit, both included; no last day is open-ended."""

    first_on: date
    last_on: date | None


class _Claim(NamedTuple):
    """The days a row claims for its tenancy, both included; the line decides a tie."""

    first_on: date
    last_on: date
    line: int
    row: Row
    tenancy: Tenancy


@dataclass(slots=True)
class _Room:
    """What the rows above say of one room; its claims are in order and do not overlap."""

    claims: list[_Claim] = field(default_factory=list)
    vacant_line: int | None = None
    lived_in_line: int | None = None

    def overlapped_by(self, claim: _Claim) -> _Claim | None:
        """A tenancy that shares a day with the claim."""
        place = bisect_left(self.claims, claim)
        for other in self.claims[max(0, place - 1) : place + 1]:
            if other.first_on <= claim.last_on and claim.first_on <= other.last_on:
                return other
        return None


def refuse_contradictions(rows: Sequence[Row], taken: dict[int, RentRollRow], today: date) -> None:
    """Take out what cannot be: the same tenancy twice, two at once, an end that is none."""
    rooms: dict[tuple[str, str], _Room] = defaultdict(_Room)
    for row in rows:
        found = taken.get(row.line)
        if found is None:
            continue
        if found.tenancy is None:
            _add_vacancy(row, rooms[found.unit_key])
        else:
            _refuse_unclear_end(row, found.standing, found.tenancy, today)
            _add_tenancy(row, found, found.tenancy, rooms[found.unit_key], today=today)
        if row.problems:
            del taken[row.line]


def _refuse_unclear_end(row: Row, standing: Standing, tenancy: Tenancy, today: date) -> None:
    """A tenancy that is over ended on a day, and that day is not to come."""
    if standing is not Standing.ENDED:
        return
    if tenancy.end_on is None:
        row.refuse("end", "ended_without_end")
    elif tenancy.end_on > today:
        row.refuse("end", "ended_in_the_future", last=tenancy.end_on.isoformat())


def _add_vacancy(row: Row, room: _Room) -> None:
    """A room stands in the sheet vacant once, and not beside someone who lives there."""
    if room.vacant_line is not None:
        row.refuse("unit", "same_unit_as_line", line=room.vacant_line)
    elif room.lived_in_line is not None:
        row.refuse("status", "vacant_and_let", line=room.lived_in_line)
    else:
        room.vacant_line = row.line


def _add_tenancy(
    row: Row, found: RentRollRow, tenancy: Tenancy, room: _Room, *, today: date
) -> None:
    # Without an end, someone lives there at least until today.
    last_on = tenancy.end_on or max(tenancy.start_on, today)
    claim = _Claim(tenancy.start_on, last_on, row.line, row, tenancy)
    lives_there = found.standing in _LIVES_THERE and tenancy.start_on <= today
    overlapped = room.overlapped_by(claim)
    if overlapped is not None:
        _refuse_overlap(row, tenancy, overlapped)
    elif lives_there and room.vacant_line is not None:
        row.refuse("status", "vacant_and_let", line=room.vacant_line)
    if row.problems:
        return
    insort(room.claims, claim)
    if lives_there:
        room.lived_in_line = row.line


def _refuse_overlap(row: Row, tenancy: Tenancy, other: _Claim) -> None:
    if (tenancy.start_on, tenancy.end_on) == (other.tenancy.start_on, other.tenancy.end_on):
        written = other.row.cell("unit").strip()
        row.refuse("unit", "same_as_line", line=other.line, written=written)
        return
    end_on = other.tenancy.end_on
    last = OPEN_ENDED if end_on is None else end_on.isoformat()
    first = other.tenancy.start_on.isoformat()
    row.refuse("start", "overlaps_line", line=other.line, first=first, last=last)


def held_days(taken: Mapping[int, RentRollRow]) -> dict[int, Held]:
    """The days each tenancy holds its unit, by line.

    A contract end is no end of living: who lives there stays until the next tenancy of the room,
    or without end. Who has left held it until the end the sheet names.
    """
    by_unit: dict[tuple[str, str], list[tuple[date, int]]] = defaultdict(list)
    for line, found in taken.items():
        if found.tenancy is not None:
            by_unit[found.unit_key].append((found.tenancy.start_on, line))
    held: dict[int, Held] = {}
    for starts in by_unit.values():
        starts.sort()
        following: list[date | None] = [start for start, _ in starts[1:]]
        for (start_on, line), next_on in zip(starts, [*following, None], strict=True):
            held[line] = Held(start_on, _last_on(taken[line], next_on))
    return held


def _last_on(found: RentRollRow, next_on: date | None) -> date | None:
    if found.standing is Standing.ENDED and found.tenancy is not None:
        return found.tenancy.end_on
    return None if next_on is None else next_on - ONE_DAY
