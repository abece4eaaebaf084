"""Whether a month is billed in full, prorated or not at all, by days and never by amounts."""

from collections.abc import Iterable
from datetime import date

from pms.rules.enumerations import MonthShape, RowKind
from pms.rules.policy import Days, free_runs, month_of, share_a_day
from pms.rules.rent_rows import BillableRow


def month_shape(rows: Iterable[BillableRow], month_on: date) -> MonthShape:
    """How far a month is billed, all its rows together (Move-in invoice rules 4)."""
    covers = [Days(row.first_on, row.last_on) for row in _rows_of_month(rows, month_on)]
    if not covers:
        return MonthShape.NOT_BILLED
    has_gap = any(free_runs(month_of(month_on), sorted(covers)))
    return MonthShape.PRORATED if has_gap else MonthShape.FULL


def entry_kind_of_month(rows: Iterable[BillableRow], month_on: date) -> RowKind | None:
    """The kind of the row that first bills a month, or None (Move-in invoice rules 2 and 4)."""
    of_month = sorted(_rows_of_month(rows, month_on), key=lambda row: row.first_on)
    return of_month[0].kind if of_month else None


def _rows_of_month(rows: Iterable[BillableRow], month_on: date) -> list[BillableRow]:
    month = month_of(month_on)
    return [row for row in rows if share_a_day(Days(row.first_on, row.last_on), month)]
