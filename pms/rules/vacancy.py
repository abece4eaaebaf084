"""Whether a unit is free for the days of one tenancy, and which of its nights are published as taken."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from pms.rules.availability import Availability, decide
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import FIRST_DAY, LAST_DAY, ONE_DAY, RecordedDay, readable
from pms.rules.enumerations import AvailabilityState, MonthToMonthState, ReservationKind
from pms.rules.policy import Policy
from pms.rules.unit_stays import (
    Block,
    Span,
    Stay,
    conflicts_with,
    is_over,
    known_end,
    overlaps,
    read_spans,
    span_of,
    state_of_stay,
)


class FollowedStay(NamedTuple):
    """A stay before the wanted days that has no notice and so does not end by itself.

    While it is month to month, a tenancy that follows it ends that state.
    """

    stay: Stay
    is_month_to_month: bool


class Vacancy(NamedTuple):
    """What prevents a stay on the wanted days; nothing does when the unit is free.

    `availability` is the state of the unit for those days: available from the day on which whoever
    is there before leaves. `conflicts` are the stays that hold it on some of the nights.
    """

    availability: Availability
    is_free: bool
    is_blocked: bool
    conflicts: tuple[Span, ...]
    followed: tuple[FollowedStay, ...]


def vacancy_for(
    wanted: Stay, stays: Iterable[Stay], blocks: Iterable[Block], today: date, policy: Policy
) -> Vacancy:
    """Whether a unit is free for a stay with a known start (specification, Availability).

    It is free only when its state for those days says Available. A resident without a notice, and
    any owner resident, keeps it from being free, even on nights that no contract covers.
    """
    blocks = list(blocks)
    others = [stay for stay in stays if stay.id != wanted.id and not stay.is_cancelled]
    term = ContractTerm(_start_of(wanted), readable(wanted.end_on))
    overlapping = list(_stays_met(others, term, today, policy))
    held = _blocks_met(blocks, term, policy)
    availability = decide(overlapping, held, today, policy)
    if availability.state == AvailabilityState.AVAILABLE_NOW:
        earlier = [
            *_ends_before(others, overlapping, term, today, policy),
            *_block_ends_before(blocks, held, term, today),
        ]
        if earlier:
            from_on = max(earlier)
            availability = Availability(AvailabilityState.AVAILABLE_FROM, from_on, from_on)
    conflicts = _find_conflicts(wanted, others, today, policy)
    in_conflict = {span.id for span in conflicts}
    return Vacancy(
        availability,
        is_free_from(availability, max(term.start_on, today)) and not conflicts,
        bool(held),
        conflicts,
        tuple(
            FollowedStay(stay, _is_month_to_month(stay, others, today, policy))
            for stay in overlapping
            if stay.id not in in_conflict
        ),
    )


def is_free_from(availability: Availability, day: date) -> bool:
    """Whether a unit may be offered from a day: confirmed free by then (List units).

    A possibly available unit is never offered, nor one that is reserved, blocked or occupied.
    """
    free_from_on = availability.move_in_from
    return free_from_on is not None and free_from_on <= day


def _stays_met(
    stays: Sequence[Stay], term: ContractTerm, today: date, policy: Policy
) -> Iterator[Stay]:
    """The stays that are neither over before the term nor begin after it.

    One whose start cannot be read may have begun any day, and without a contract end every later
    stay is in the way.
    """
    free_again_on = term.end_on + timedelta(days=policy.turnover_days) if term.end_on else date.max
    for stay in stays:
        span = held_span(stay, today, policy)
        begins_after = _is_within(stay.start_on, free_again_on, date.max)
        if span is not None and _ends_after(span, term.start_on) and not begins_after:
            yield stay


def _blocks_met(blocks: Iterable[Block], term: ContractTerm, policy: Policy) -> list[Block]:
    turnover = timedelta(days=policy.turnover_days)
    free_again_on = term.end_on + turnover + ONE_DAY if term.end_on else None
    return [
        block
        for block in blocks
        if not (free_again_on and _is_within(block.first_on, free_again_on, date.max))
        and not _is_within(block.last_on, date.min, term.start_on - ONE_DAY)
    ]


def _ends_before(
    stays: Sequence[Stay],
    overlapping: Sequence[Stay],
    term: ContractTerm,
    today: date,
    policy: Policy,
) -> Iterator[date]:
    """From when the unit is free again after the stays that are to end before the term."""
    for stay in stays:
        span = held_span(stay, today, policy)
        if span is None or span.free_from_on is None or stay in overlapping:
            continue
        if span.first_on < max(term.start_on, today):
            yield span.free_from_on


def _block_ends_before(
    blocks: Iterable[Block], held: Sequence[Block], term: ContractTerm, today: date
) -> Iterator[date]:
    for block in blocks:
        is_before = not _is_within(block.first_on, term.start_on, date.max)
        if _is_within(block.last_on, today, date.max) and is_before and block not in held:
            yield block_span("", block).free_from_on or term.start_on


def _find_conflicts(
    wanted: Stay, others: Sequence[Stay], today: date, policy: Policy
) -> tuple[Span, ...]:
    span = span_of(wanted, today, policy)
    if span is None:
        return ()
    # What is over before the wanted days is in nobody's way, also with its days in the wrong order.
    asked_on = min(today, span.first_on)
    present = [other for other in others if not is_over(other, asked_on, policy)]
    overlapping = conflicts_with(span, read_spans(present, today, policy).spans)
    return tuple(sorted(overlapping, key=lambda other: (other.first_on, other.id)))


def _is_month_to_month(stay: Stay, others: Sequence[Stay], today: date, policy: Policy) -> bool:
    start_on = readable(stay.start_on)
    if start_on is None:
        return False
    starts = (readable(other.start_on) for other in others)
    next_on = min((day for day in starts if day and day > start_on), default=None)
    return state_of_stay(stay, next_on, today, policy) is not MonthToMonthState.NONE


def _start_of(wanted: Stay) -> date:
    if not isinstance(wanted.start_on, date):
        raise TypeError("the start of a stay that is asked for is a day")
    return wanted.start_on


def _is_within(day: RecordedDay, first_on: date, last_on: date) -> bool:
    return isinstance(day, date) and first_on <= day <= last_on


class Meeting(NamedTuple):
    """A stay and a block with common nights, half-open; without an end both are open."""

    stay_id: str
    block_id: str
    first_on: date
    free_from_on: date | None


def held_span(stay: Stay, today: date, policy: Policy) -> Span | None:
    """Return the nights on which a stay keeps its unit from being free; None once it is over.

    They run from its start to its known end with the turnover, and without an end for somebody who
    filed no notice, since a contract end is no known end, and for an owner resident, whose unit is
    never free. A start that cannot be read counts as today. Such a stay, and a booking that nobody
    moved into, holds at least tonight until it is over. An end that cannot be read is no end.
    """
    if stay.is_cancelled or is_over(stay, today, policy):
        return None
    first_on, left_on = readable(stay.start_on) or today, readable(known_end(stay))
    if left_on is None or stay.kind == ReservationKind.OWNER_RESIDENT:
        return Span(stay.id, first_on, None)
    night_on = max(first_on, today) if stay.is_unconfirmed else first_on
    left_on = max(left_on, night_on + ONE_DAY)
    return Span(stay.id, first_on, left_on + timedelta(days=policy.turnover_days))


def held_spans(stays: Iterable[Stay], today: date, policy: Policy) -> tuple[Span, ...]:
    """Return the nights of a unit's stays as published (Availability, Rules)."""
    spans = (held_span(stay, today, policy) for stay in stays)
    return tuple(sorted((span for span in spans if span is not None), key=_first_night))


def _first_night(span: Span) -> tuple[date, str]:
    return span.first_on, span.id


def without_echoes(
    blocks: Sequence[Block], stays: Iterable[Stay], today: date, policy: Policy
) -> list[Block]:
    """Leave out a channel's blocks whose nights ahead our own stays hold anyway (Availability).

    A channel that reads a unit's calendar tells those nights back.
    """
    if not any(block.is_of_channel for block in blocks):
        return list(blocks)
    runs = own_runs(held_spans(stays, today, policy))
    return [
        block
        for block in blocks
        if not (block.is_of_channel and is_held(block_span("", block), runs, today))
    ]


def own_runs(spans: Iterable[Span]) -> list[Span]:
    """Return the nights of several spans as runs that do not touch each other."""
    runs: list[Span] = []
    for span in sorted(spans, key=lambda span: span.first_on):
        last = runs[-1] if runs else None
        if last is None or (last.free_from_on is not None and last.free_from_on < span.first_on):
            runs.append(span)
        elif last.free_from_on is not None:
            ends = last.free_from_on, span.free_from_on
            until_on = None if None in ends else max(day for day in ends if day)
            runs[-1] = last._replace(free_from_on=until_on)
    return runs


def is_held(span: Span, runs: Iterable[Span], today: date) -> bool:
    """Whether all nights of a span from today on lie within one of the runs."""
    first_on = max(span.first_on, today)
    return any(
        run.first_on <= first_on
        and (
            run.free_from_on is None
            or (span.free_from_on is not None and span.free_from_on <= run.free_from_on)
        )
        for run in runs
    )


def end_at_successors(spans: Iterable[Span], today: date) -> tuple[Span, ...]:
    """Return the spans, each without an end ended by the start of the next stay to come."""
    ordered = sorted(spans, key=_first_night)
    starts = [span.first_on for span in ordered]
    return tuple(
        span._replace(
            free_from_on=span.free_from_on or successor_start(starts, span.first_on, today)
        )
        for span in ordered
    )


def successor_start(starts: Iterable[date], first_on: date, today: date) -> date | None:
    """Return the first of the starts to come that is after a stay's own, or None.

    Who has moved in already ended nobody's stay: they live there together.
    """
    after_on = max(first_on, today)
    return min((start_on for start_on in starts if start_on > after_on), default=None)


SHORTEST_WINDOW: Final = timedelta(days=85)
"""How far ahead a channel sells at least; the echo of a stay without an end stops there."""


def repeats_own_nights(
    span: Span, spans: Sequence[Span], today: date, turnover_days: int = 0
) -> bool:
    """Whether a channel's block repeats our own nights, from a first to a last one of ours.

    It begins where one of our stays or its turnover does, or about today, from which on channels
    tell their days; and ends where one of our stays or its turnover does, or far ahead while a stay
    has no end. Other nights within ours are a second stay.
    """
    runs = own_runs(spans)
    if not is_held(span, runs, today):
        return False
    turnover = timedelta(days=turnover_days)
    left_on = {own.free_from_on - turnover for own in spans if own.free_from_on is not None}
    starts = {own.first_on for own in spans} | (left_on if turnover else set())
    begins = span.first_on <= today + ONE_DAY or span.first_on in starts
    if span.free_from_on is None:
        return begins
    is_far = span.free_from_on >= today + SHORTEST_WINDOW
    ends = {own.free_from_on for own in spans} | left_on
    return begins and (span.free_from_on in ends or (None in ends and is_far))


def block_span(block_id: str, block: Block) -> Span:
    """Return the nights of a block, including its last day; a corrupt start counts as long past."""
    last_on = readable(block.last_on)
    # A corrupt last day is no end: the block stays in force until staff correct it.
    free_from_on = None if last_on is None or last_on >= LAST_DAY else last_on + ONE_DAY
    return Span(block_id, readable(block.first_on) or FIRST_DAY, free_from_on)


def meetings(spans: Iterable[Span], blocks: Iterable[Span], today: date) -> Iterator[Meeting]:
    """Return every pair of stay and block with a common night from today on."""
    ahead = [block for block in blocks if _ends_after(block, today)]
    for span in spans:
        for block in ahead:
            if _ends_after(span, today) and overlaps(span, block):
                ends = [end for end in (span.free_from_on, block.free_from_on) if end is not None]
                first_on, until_on = max(span.first_on, block.first_on), min(ends, default=None)
                if until_on is None or until_on > today:
                    yield Meeting(span.id, block.id, first_on, until_on)


def _ends_after(span: Span, today: date) -> bool:
    return span.free_from_on is None or span.free_from_on > today
