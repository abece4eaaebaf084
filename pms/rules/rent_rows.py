"""Which rows of rent are issued on a billing day, and the lines of a row."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from pms.rules.days import ONE_DAY, month_last
from pms.rules.enumerations import ReservationKind, RowKind
from pms.rules.month_to_month import BillableSpan, Tenancy, billable_span
from pms.rules.move_in_invoice import invoice_periods
from pms.rules.policy import Days, Policy, free_runs, month_of, share_a_day, split_by_month
from pms.rules.rent_lines import Line, Price, rent_lines
from pms.rules.taking_over import days_billed_before


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
    tenancy: Tenancy, issued: Sequence[IssuedRow], on: date, through_on: date, policy: Policy
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

    A month without a row is ordinary rent; the rest of a month that another row began is a stub,
    wherever the contract ended.
    """
    last_on = min(span.last_on or date.max, month_last(through_on))
    rows: list[BillableRow] = []
    covers = sorted(_covered_days(issued))
    for gap in free_runs(Days(span.first_on, last_on), covers):
        rows.extend(_rows_of_gap(gap, covers))
    return tuple(rows)


def row_lines(price: Price, row: BillableRow, start_on: date) -> tuple[Line, ...]:
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
        month = month_of(part.first_on)
        is_begun = any(share_a_day(cover, month) for cover in covers)
        yield BillableRow(RowKind.STUB if is_begun else RowKind.RENT, *part)
