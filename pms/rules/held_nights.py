"""Which nights of a unit are published as taken, and which of them an external block takes too."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from pms.rules.days import FIRST_DAY, LAST_DAY, ONE_DAY, readable
from pms.rules.enumerations import MonthToMonthState
from pms.rules.month_to_month import state_of_stay
from pms.rules.policy import Policy
from pms.rules.unit_stays import Block, Span, Stay, overlaps, read_spans


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
    return tuple(_held(span, by_id[span.id], starts, today, policy) for span in spans)


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


def _held(
    span: Span, stay: Stay, starts: list[tuple[date, str]], today: date, policy: Policy
) -> Span:
    following = (day for day, id_ in starts if (day, id_) > (span.first_on, span.id))
    next_on = next(following, None)
    if state_of_stay(stay, next_on, today, policy) is MonthToMonthState.NONE:
        return span
    return span._replace(free_from_on=None)


def _ends_after(span: Span, today: date) -> bool:
    return span.free_from_on is None or span.free_from_on > today
