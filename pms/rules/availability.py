"""A unit's availability today from its stays and blocks, its reasons, and how it is shown."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from pms.rules.days import ONE_DAY, RecordedDay
from pms.rules.enumerations import AvailabilityState, ReservationKind
from pms.rules.policy import Policy
from pms.rules.unit_stays import Block, Stay, is_forced_open, is_over, known_end

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
    """Return who lives there today, and the starts of stays to come; ended stays are left out.

    A booking that nobody moved into is one to come, also after its start.
    """
    living: list[Stay] = []
    taken_on: list[date] = []
    for stay in stays:
        if stay.is_cancelled or is_over(stay, today, policy):
            continue
        start_on = stay.start_on
        if type(start_on) is not date:
            taken_on.append(_UNREADABLE_START)
        elif start_on > today or stay.is_unconfirmed:
            taken_on.append(start_on)
        else:
            living.append(stay)
    return living, taken_on


def _is_blocked(blocks: Sequence[Block], today: date, taken_on: list[date]) -> bool:
    """Whether a block is in force today; starts of coming blocks are added to the coming stays."""
    for first_on, last_on, _ in blocks:
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
        # Who leaves on the first day held that one night (Availability, Rules).
        if type(stay.start_on) is date and end_on <= stay.start_on:
            end_on = stay.start_on + ONE_DAY
        return _KNOWN, end_on + timedelta(days=policy.turnover_days)
    return (_SOFT, end_on) if end_on >= today else (_NO_END, _UNREADABLE_END)


class ReasonKind(StrEnum):
    """The fact that decided (specification, Availability), in the order of the checks."""

    FORCED = "forced"
    BLOCKED = "blocked"
    NEXT_STAY = "next_stay"
    AWAITED = "awaited"
    NEXT_BLOCK = "next_block"
    OWNER_LIVES = "owner_lives"
    DEPARTURE_PASSED = "departure_passed"
    NO_END = "no_end"
    DEPARTURE_EXPECTED = "departure_expected"
    NOTICE_FILED = "notice_filed"
    CHECK_OUT = "check_out"
    FREE = "free"


class StayReason(NamedTuple):
    """The fact that decided: the stay, and the day that decided, as it was recorded."""

    kind: ReasonKind
    on: RecordedDay = None
    stay_id: str | None = None
    turnover_days: int = 0


_WEIGHTS: Final = {
    ReasonKind.CHECK_OUT: 0,
    ReasonKind.NOTICE_FILED: 0,
    ReasonKind.DEPARTURE_EXPECTED: 1,
}
_LEAST_CERTAIN: Final = 2


def explain(
    stays: Sequence[Stay], blocks: Sequence[Block], today: date, policy: Policy
) -> StayReason:
    """The reason behind `availability.decide` for the same facts (Availability, State table)."""
    living = [stay for stay in stays if is_living(stay, today, policy)]
    for stay in living:
        if is_forced_open(stay):
            return StayReason(ReasonKind.FORCED, None, stay.id)
    blocks = [block for block in blocks if not _is_past(block.last_on, today)]
    for block in blocks:
        if not _is_coming(block.first_on, today):
            return StayReason(ReasonKind.BLOCKED, block.last_on)
    coming = _list_coming_reasons(stays, living, today, policy) + [
        StayReason(ReasonKind.NEXT_BLOCK, block.first_on) for block in blocks
    ]
    if coming:
        return min(coming, key=_find_start_day)
    if living:
        return _reason_of_ends([_find_end_reason(stay, today, policy) for stay in living])
    return StayReason(ReasonKind.FREE)


def _list_coming_reasons(
    stays: Sequence[Stay], living: Sequence[Stay], today: date, policy: Policy
) -> list[StayReason]:
    return [
        StayReason(_kind_of_coming(stay, today), stay.start_on, stay.id)
        for stay in stays
        if not (stay.is_cancelled or stay in living or is_over(stay, today, policy))
    ]


def _kind_of_coming(stay: Stay, today: date) -> ReasonKind:
    has_started = type(stay.start_on) is date and stay.start_on <= today
    return ReasonKind.AWAITED if has_started else ReasonKind.NEXT_STAY


def _reason_of_ends(ends: Sequence[StayReason]) -> StayReason:
    heaviest = max(_weigh_end(end) for end in ends)
    return max((end for end in ends if _weigh_end(end) == heaviest), key=_find_end_day)


def _find_end_reason(stay: Stay, today: date, policy: Policy) -> StayReason:
    if stay.kind == ReservationKind.OWNER_RESIDENT:
        return StayReason(ReasonKind.OWNER_LIVES, None, stay.id)
    known_on = known_end(stay)
    if known_on is not None:
        is_notice = stay.move_out_on is not None
        kind = ReasonKind.NOTICE_FILED if is_notice else ReasonKind.CHECK_OUT
        return StayReason(kind, known_on, stay.id, policy.turnover_days)
    expected_on = None if stay.kind == ReservationKind.GUEST else stay.expected_departure_on
    if expected_on is None:
        return StayReason(ReasonKind.NO_END, stay.end_on, stay.id)
    if _is_past(expected_on, today):
        return StayReason(ReasonKind.DEPARTURE_PASSED, expected_on, stay.id)
    return StayReason(ReasonKind.DEPARTURE_EXPECTED, expected_on, stay.id)


def _weigh_end(end: StayReason) -> int:
    return _WEIGHTS.get(end.kind, _LEAST_CERTAIN)


def _find_end_day(end: StayReason) -> date:
    return end.on if isinstance(end.on, date) else date.max


def _find_start_day(reason: StayReason) -> date:
    return reason.on if isinstance(reason.on, date) else date.min


def _is_past(day: RecordedDay, today: date) -> bool:
    return isinstance(day, date) and day < today


def _is_coming(day: RecordedDay, today: date) -> bool:
    return isinstance(day, date) and day > today


@dataclass(frozen=True, slots=True)
class UnknownKinds:
    """Words of the owner-resident filter that name no kind of reservation."""

    words: tuple[str, ...]


def matches_available_now(availability: Availability) -> bool:
    """Whether `availableNow=true` lets the unit through (List units)."""
    return availability.state == AvailabilityState.AVAILABLE_NOW


def matches_move_in_by(availability: Availability, move_in_by: date) -> bool:
    """Whether `moveInBy` lets the unit through: confirmed free by that day (List units)."""
    offered_on = availability.move_in_from
    return offered_on is not None and offered_on <= move_in_by


def read_excluded_kinds(text: str | None) -> frozenset[ReservationKind] | UnknownKinds:
    """Read the owner-resident filter `excludeRecords` in its three states (Availability, Rules).

    Absent: owner residents are excluded. Empty: nobody is excluded. Else the kinds named.
    """
    if text is None:
        return frozenset({ReservationKind.OWNER_RESIDENT})
    words = [word.strip() for word in text.split(",") if word.strip()]
    known = frozenset(ReservationKind)
    unknown = tuple(word for word in words if word not in known)
    if unknown:
        return UnknownKinds(unknown)
    return frozenset(ReservationKind(word) for word in words)


def is_shown(
    stays: Iterable[Stay], excluded: Container[ReservationKind], today: date, policy: Policy
) -> bool:
    """Whether a view shows a unit, by the kinds of who lives there today (Availability, Rules)."""
    return not any(stay.kind in excluded and is_living(stay, today, policy) for stay in stays)
