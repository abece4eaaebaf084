"""How an edit of the dates changes rows that are already issued."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import zip_longest
from typing import NamedTuple

from pms.rules.days import ONE_DAY, month_last
from pms.rules.month_to_month import BillableSpan
from pms.rules.rent_lines import Line, Price, reversal_of
from pms.rules.rent_rows import BillableRow, IssuedRow, row_lines


class RowChange(NamedTuple):
    """One issued row before and after an edit."""

    before: IssuedRow
    after: IssuedRow


def repriced_rows(issued: Sequence[IssuedRow], span: BillableSpan | None) -> tuple[IssuedRow, ...]:
    """Return all issued rows after an edit, in their order (specification, Stub rule).

    Each keeps its first day. Its last day becomes the end of the billable span, the day before the
    next row or the month's end, whichever comes first, or none when no day is left. So a stub never
    becomes a whole month. A row that nets to 0 still marks its first day; of several rows with the
    same first day the one issued last has the days.
    """
    places = {row.first_on: place for place, row in enumerate(issued)}
    last_days = _last_days(sorted(places), span)
    return tuple(
        row._replace(last_on=last_days[row.first_on] if places[row.first_on] == place else None)
        for place, row in enumerate(issued)
    )


def changed_rows(issued: Sequence[IssuedRow], span: BillableSpan | None) -> tuple[RowChange, ...]:
    """The rows that an edit changes (Month to month, Move-out date filed); none when repeated."""
    pairs = zip(issued, repriced_rows(issued, span), strict=True)
    return tuple(RowChange(before, after) for before, after in pairs if before != after)


def standing_lines(price: Price, row: IssuedRow, start_on: date) -> tuple[Line, ...]:
    """The lines of a row after repricing; none when it nets to 0 (Money 2)."""
    if row.last_on is None:
        return ()
    return row_lines(price, BillableRow(row.kind, row.first_on, row.last_on), start_on)


def appended_lines(standing: Iterable[Line], wanted: Iterable[Line]) -> tuple[Line, ...]:
    """Return the lines to append so that an entry has the wanted ones (Money 2).

    Lines are never edited: the present ones are reversed as a whole, and new ones are appended.
    """
    return (*reversal_of(standing), *wanted)


def _last_days(firsts: Sequence[date], span: BillableSpan | None) -> dict[date, date | None]:
    """The last day of the row that begins on each first day, or None where no day is left."""
    before_next = [following - ONE_DAY for following in firsts[1:]]
    return {
        first_on: _last_on(first_on, before_next_on, span)
        for first_on, before_next_on in zip_longest(firsts, before_next)
    }


def _last_on(first_on: date, before_next_on: date | None, span: BillableSpan | None) -> date | None:
    if span is None or first_on < span.first_on:
        return None
    ends = (month_last(first_on), before_next_on, span.last_on)
    last_on = min(end for end in ends if end is not None)
    return last_on if first_on <= last_on else None
