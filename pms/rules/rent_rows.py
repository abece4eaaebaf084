"""Rows of rent: which are issued on a billing day, and how edited or overridden dates change them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest
from typing import NamedTuple

from pms.rules.days import (
    ONE_DAY,
    Days,
    free_runs,
    month_first,
    month_last,
    share_a_day,
    split_by_month,
)
from pms.rules.enumerations import ReservationKind, RowKind
from pms.rules.invoices import invoice_periods
from pms.rules.policy import Policy
from pms.rules.rent_lines import Price, RentLine, rent_lines
from pms.rules.taking_over import days_billed_before
from pms.rules.unit_stays import BillableSpan, TenancyFacts, billable_span


class BillableRow(NamedTuple):
    """A run of days in one calendar month that is billed as a row."""

    kind: RowKind
    first_on: date
    last_on: date


class IssuedRow(NamedTuple):
    """A row in the ledger; without a last day it nets to 0."""

    kind: RowKind
    first_on: date
    last_on: date | None


def rows_to_issue(
    tenancy: TenancyFacts, issued: Sequence[IssuedRow], on: date, through_on: date, policy: Policy
) -> tuple[BillableRow, ...]:
    """Return the rows to issue on a billing day, through the month of another day (Money 5).

    The first rows are the move-in invoice. Issued rows keep their days, so nothing is issued twice
    (Stub rule). A tenancy taken over has no move-in invoice: its rows begin on the day after the
    last one billed before.
    """
    span = billable_span(tenancy, on, policy)
    # A guest's nights are paid as agreed, not by the month.
    if span is None or tenancy.kind == ReservationKind.GUEST:
        return ()
    is_taken_over = tenancy.billed_through_on is not None
    first_rows = () if issued or is_taken_over else move_in_rows(span)
    covered = [*issued, *(IssuedRow(*row) for row in first_rows)]
    before = days_billed_before(span.first_on, tenancy.billed_through_on)
    if before is not None:
        covered.append(IssuedRow(RowKind.RENT, *before))
    return (*first_rows, *uncovered_rows(span, covered, through_on))


def move_in_rows(span: BillableSpan) -> tuple[BillableRow, ...]:
    """The one or two rows of the move-in invoice (Move-in invoice rules 1)."""
    return tuple(BillableRow(RowKind.MOVE_IN, *days) for days in invoice_periods(span))


def uncovered_rows(
    span: BillableSpan, issued: Iterable[IssuedRow], through_on: date
) -> tuple[BillableRow, ...]:
    """Return the billable days through a day's month that no row covers, as rows (Stub rule).

    A month without a row is ordinary rent, as is the beginning of one whose rest is a row already;
    the rest of a month that another row began is a stub, wherever the contract ended.
    """
    last_on = min(span.last_on or date.max, month_last(through_on))
    rows: list[BillableRow] = []
    covers = sorted(_covered_days(issued))
    for gap in free_runs(Days(span.first_on, last_on), covers):
        rows.extend(_rows_of_gap(gap, covers))
    return tuple(rows)


def row_lines(price: Price, row: BillableRow, start_on: date) -> tuple[RentLine, ...]:
    """The lines of a row; the one that begins the tenancy is the first billed period (Money 2)."""
    return rent_lines(price, Days(row.first_on, row.last_on), row.first_on == start_on)


def first_unbilled_on(issued: Iterable[IssuedRow]) -> date | None:
    """The day after the last billed one, the first a new price can affect; None if unbilled."""
    last_days = [days.last_on for days in _covered_days(issued)]
    return max(last_days) + ONE_DAY if last_days else None


def _covered_days(issued: Iterable[IssuedRow]) -> Iterator[Days]:
    return (Days(row.first_on, row.last_on) for row in issued if row.last_on is not None)


def _rows_of_gap(gap: Days, covers: Sequence[Days]) -> Iterator[BillableRow]:
    for part in split_by_month(gap):
        before = Days(month_first(part.first_on), part.first_on - ONE_DAY)
        is_begun = any(share_a_day(cover, before) for cover in covers)
        yield BillableRow(RowKind.STUB if is_begun else RowKind.RENT, *part)


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


def standing_lines(price: Price, row: IssuedRow, start_on: date) -> tuple[RentLine, ...]:
    """The lines of a row after repricing; none when it nets to 0 (Money 2)."""
    if row.last_on is None:
        return ()
    return row_lines(price, BillableRow(row.kind, row.first_on, row.last_on), start_on)


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


@dataclass(frozen=True, slots=True)
class OverriddenRows:
    """All rows after an override of a contract date.

    `invoice` replaces the rows of the move-in invoice; `kept` are the other rows as they stand
    now; the entries of `voided` rows are voided; `created` left the invoice and become entries.
    """

    invoice: tuple[BillableRow, ...]
    kept: tuple[IssuedRow, ...]
    voided: tuple[IssuedRow, ...]
    created: tuple[BillableRow, ...]


def overridden_rows(issued: Sequence[IssuedRow], span: BillableSpan | None) -> OverriddenRows:
    """Return the rows after a contract date was overridden (specification, Contract dates).

    `span` is the billable span under the override. The invoice covers what an invoice of the new
    start covers (Move-in invoice rules 1 and 2); rows that the new bundle swallows are voided.
    """
    on_invoice = [row for row in issued if row.kind is RowKind.MOVE_IN]
    others = [row for row in issued if row.kind is not RowKind.MOVE_IN]
    if span is None or not on_invoice:
        return OverriddenRows((), repriced_rows(others, span), (), ())
    periods = invoice_periods(span)
    voided = tuple(row for row in others if _is_swallowed(row, on_invoice, periods, span))
    left = [row for row in others if row not in voided]
    invoice = tuple(_cut_before_next_row(days, left) for days in periods)
    kept = repriced_rows(left, span)
    return OverriddenRows(
        invoice, kept, voided, _list_rows_off_invoice(on_invoice, invoice, kept, span)
    )


def _is_swallowed(
    row: IssuedRow, on_invoice: Iterable[IssuedRow], periods: Sequence[Days], span: BillableSpan
) -> bool:
    """Whether a row begins by the new start, or in a month that the invoice newly bundles."""
    if row.first_on <= span.first_on:
        return True
    months_before = {month_first(billed.first_on) for billed in on_invoice}
    bundled = {month_first(days.first_on) for days in periods[1:]}
    return month_first(row.first_on) in bundled - months_before


def _cut_before_next_row(days: Days, left: Iterable[IssuedRow]) -> BillableRow:
    """A period of the invoice, cut at the day before the next row that is kept."""
    later = [row.first_on - ONE_DAY for row in left if row.first_on > days.first_on]
    return BillableRow(RowKind.MOVE_IN, days.first_on, min([days.last_on, *later]))


def _list_rows_off_invoice(
    on_invoice: Iterable[IssuedRow],
    invoice: Iterable[BillableRow],
    kept: Iterable[IssuedRow],
    span: BillableSpan,
) -> tuple[BillableRow, ...]:
    """The rows of months that were on the invoice and no longer are."""
    months = {month_first(row.first_on) for row in on_invoice if row.last_on is not None}
    through_on = max((row.last_on for row in on_invoice if row.last_on), default=date.min)
    covered = [*(IssuedRow(*row) for row in invoice), *kept]
    rows = uncovered_rows(span, covered, through_on)
    return tuple(row for row in rows if month_first(row.first_on) in months)
