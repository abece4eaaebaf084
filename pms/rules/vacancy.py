"""Whether a unit is free for the days of one tenancy, and which of its nights are published as taken."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from pms.rules.availability import Availability, decide
from pms.rules.contract_dates import Term
from pms.rules.days import FIRST_DAY, LAST_DAY, ONE_DAY, RecordedDay, readable
from pms.rules.enumerations import MonthToMonthState, ReservationKind
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

    `availability` is the state of the unit for those days, `conflicts` are the stays that hold it
    on some of the nights.
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
    others = [stay for stay in stays if stay.id != wanted.id and not stay.is_cancelled]
    term = Term(_start_of(wanted), readable(wanted.end_on))
    overlapping = list(_stays_met(others, term, today, policy))
    held = _blocks_met(blocks, term, policy)
    availability = decide(overlapping, held, today, policy)
    conflicts = _conflicts(wanted, others, today, policy)
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


def _stays_met(stays: Sequence[Stay], term: Term, today: date, policy: Policy) -> Iterator[Stay]:
    """The stays that are neither over before the term nor begin after it.

    A corrupt day counts as in the way, and without a contract end so does every later stay. An
    owner resident who has not moved out is never over.
    """
    turnover = timedelta(days=policy.turnover_days)
    free_again_on = term.end_on + turnover if term.end_on else date.max
    for stay in stays:
        left_on = known_end(stay)
        is_gone = is_over(stay, today, policy) or _is_within(
            left_on, date.min, term.start_on - turnover
        )
        if stay.kind == ReservationKind.OWNER_RESIDENT and _is_within(left_on, today, date.max):
            is_gone = False
        if not is_gone and not _is_within(stay.start_on, free_again_on, date.max):
            yield stay


def _blocks_met(blocks: Iterable[Block], term: Term, policy: Policy) -> list[Block]:
    turnover = timedelta(days=policy.turnover_days)
    free_again_on = term.end_on + turnover + ONE_DAY if term.end_on else None
    return [
        block
        for block in blocks
        if not (free_again_on and _is_within(block.first_on, free_again_on, date.max))
        and not _is_within(block.last_on, date.min, term.start_on - ONE_DAY)
    ]


def _conflicts(
    wanted: Stay, others: Sequence[Stay], today: date, policy: Policy
) -> tuple[Span, ...]:
    span = span_of(wanted, today, policy)
    if span is None:
        return ()
    overlapping = conflicts_with(span, read_spans(others, today, policy).spans)
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


def held_spans(stays: Iterable[Stay], today: date, policy: Policy) -> tuple[Span, ...]:
    """Return the nights of a unit's stays as published (Availability, Rules; Month to month).

    They are the half-open spans of double booking, except that a resident who is month to month
    without a notice keeps the unit until the next stay: a contract end is no known end.
    """
    known = list(stays)
    by_id = {stay.id: stay for stay in known}
    spans = sorted(read_spans(known, today, policy).spans)
    starts = sorted((span.first_on, span.id) for span in spans)
    return tuple(
        _without_end_if_continued(span, by_id[span.id], starts, today, policy) for span in spans
    )


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


def _without_end_if_continued(
    span: Span, stay: Stay, starts: list[tuple[date, str]], today: date, policy: Policy
) -> Span:
    following = (day for day, id_ in starts if (day, id_) > (span.first_on, span.id))
    next_on = next(following, None)
    if state_of_stay(stay, next_on, today, policy) is MonthToMonthState.NONE:
        return span
    return span._replace(free_from_on=None)


def _ends_after(span: Span, today: date) -> bool:
    return span.free_from_on is None or span.free_from_on > today
