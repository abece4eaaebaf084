"""Works out a unit's availability today from its stays and external blocks."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from pms.rules.enumerations import AvailabilityState, ReservationKind
from pms.rules.policy import Policy
from pms.rules.unit_stays import Block, Stay, is_forced_open, known_end

# Enumeration members are looked up thousands of times a page; a module name is far cheaper.
_GUEST: Final = ReservationKind.GUEST
_OWNER_RESIDENT: Final = ReservationKind.OWNER_RESIDENT
_NOW: Final = AvailabilityState.AVAILABLE_NOW
_FROM: Final = AvailabilityState.AVAILABLE_FROM
_POSSIBLY: Final = AvailabilityState.POSSIBLY_AVAILABLE
_RESERVED: Final = AvailabilityState.RESERVED
_OCCUPIED: Final = AvailabilityState.OCCUPIED

# A start that cannot be read sorts before every other start and after every end: whatever it is
# compared with, the answer keeps its state and shows no date.
_UNREADABLE_START: Final = date.min
_UNREADABLE_END: Final = date.max

# How much the end of a living stay weighs when several live in one unit.
_KNOWN, _SOFT, _NO_END = range(3)


class Availability(NamedTuple):
    """The availability of one unit: `on` is the date shown, `move_in_from` the date to offer."""

    state: AvailabilityState
    on: date | None
    move_in_from: date | None

    @property
    def is_confirmed(self) -> bool:
        """Whether the unit may be offered, which takes a known date (List units)."""
        return self.move_in_from is not None

    @property
    def is_possible(self) -> bool:
        """Whether the unit may become free, never a move-in date (List units)."""
        return self.state == _POSSIBLY


def decide(
    stays: Sequence[Stay], blocks: Sequence[Block], today: date, policy: Policy
) -> Availability:
    """Return one unit's availability today (specification, States and transitions, Availability).

    Decided in this order: forced, a block in force, the next booking, who lives there, free.
    """
    if not stays and not blocks:
        return Availability(_NOW, None, today)
    living, taken_on = _sort_out(stays, today, policy)
    for stay in living:
        if is_forced_open(stay):
            return Availability(_OCCUPIED, None, None)
    if blocks and _is_blocked(blocks, today, taken_on):
        return Availability(_RESERVED, None, None)
    if taken_on:
        first_on = min(taken_on)
        return Availability(_RESERVED, None if first_on is _UNREADABLE_START else first_on, None)
    if living:
        return _by_ends(living, today, policy)
    return Availability(_NOW, None, today)


def is_living(stay: Stay, today: date, policy: Policy) -> bool:
    """Whether a stay holds its unit today, turnover days included (Availability)."""
    return bool(_sort_out((stay,), today, policy)[0])


def _sort_out(stays: Iterable[Stay], today: date, policy: Policy) -> tuple[list[Stay], list[date]]:
    """Return who lives there today, and the starts of stays to come; ended stays are left out."""
    living: list[Stay] = []
    taken_on: list[date] = []
    gone_before = today - timedelta(days=policy.turnover_days) if policy.turnover_days else today
    for stay in stays:
        left_on = known_end(stay)
        if stay.is_cancelled or (type(left_on) is date and left_on < gone_before):
            continue
        start_on = stay.start_on
        if type(start_on) is not date:
            taken_on.append(_UNREADABLE_START)
        elif start_on > today:
            taken_on.append(start_on)
        else:
            living.append(stay)
    return living, taken_on


def _is_blocked(blocks: Sequence[Block], today: date, taken_on: list[date]) -> bool:
    """Whether a block is in force today; starts of coming blocks are added to the coming stays."""
    for first_on, last_on in blocks:
        if type(last_on) is date and last_on < today:
            continue
        if type(first_on) is not date or first_on <= today:
            return True
        taken_on.append(first_on)
    return False


def _by_ends(living: list[Stay], today: date, policy: Policy) -> Availability:
    ends = [_end_of(stay, today, policy) for stay in living]
    weight = max(ends)[0]
    if weight == _NO_END:
        return Availability(_OCCUPIED, None, None)
    latest_on = max(on for _, on in ends)
    on = None if latest_on is _UNREADABLE_END else latest_on
    if weight == _SOFT:
        return Availability(_POSSIBLY, on, None)
    return Availability(_FROM, on, on)


def _end_of(stay: Stay, today: date, policy: Policy) -> tuple[int, date]:
    """How much a living stay's end weighs, and its day; an owner resident has no known end."""
    if stay.kind == _OWNER_RESIDENT:
        return _NO_END, _UNREADABLE_END
    end_on, weight = known_end(stay), _KNOWN
    if end_on is None and stay.kind != _GUEST:
        end_on, weight = stay.expected_departure_on, _SOFT
    if end_on is None:
        return _NO_END, _UNREADABLE_END
    if type(end_on) is not date:
        return weight, _UNREADABLE_END
    if weight == _KNOWN:
        return _KNOWN, end_on + timedelta(days=policy.turnover_days)
    return (_SOFT, end_on) if end_on >= today else (_NO_END, _UNREADABLE_END)
