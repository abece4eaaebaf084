"""How an override of contract dates changes the move-in invoice and the other rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from pms.rules.days import ONE_DAY, month_first
from pms.rules.enumerations import RowKind
from pms.rules.month_to_month import BillableSpan
from pms.rules.move_in_invoice import invoice_periods
from pms.rules.policy import Days
from pms.rules.rent_rows import BillableRow, IssuedRow, repriced_rows, uncovered_rows


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
    invoice = tuple(_beside(days, left) for days in periods)
    kept = repriced_rows(left, span)
    return OverriddenRows(invoice, kept, voided, _leaving(on_invoice, invoice, kept, span))


def _is_swallowed(
    row: IssuedRow, on_invoice: Iterable[IssuedRow], periods: Sequence[Days], span: BillableSpan
) -> bool:
    """Whether a row begins by the new start, or in a month that the invoice newly bundles."""
    if row.first_on <= span.first_on:
        return True
    months_before = {month_first(billed.first_on) for billed in on_invoice}
    bundled = {month_first(days.first_on) for days in periods[1:]}
    return month_first(row.first_on) in bundled - months_before


def _beside(days: Days, left: Iterable[IssuedRow]) -> BillableRow:
    """A period of the invoice, cut at the day before the next row that is kept."""
    later = [row.first_on - ONE_DAY for row in left if row.first_on > days.first_on]
    return BillableRow(RowKind.MOVE_IN, days.first_on, min([days.last_on, *later]))


def _leaving(
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
