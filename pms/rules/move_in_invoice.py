"""The move-in invoice: which periods it bundles, and the one-time amounts it carries."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from pms.rules.days import add_months, month_first, month_last
from pms.rules.enumerations import LineItem
from pms.rules.month_to_month import BillableSpan
from pms.rules.policy import Days

LAST_DAY_UNBUNDLED: Final = 15


@dataclass(frozen=True, slots=True)
class OneTimeAmounts:
    """The amounts of a reservation that are collected once, in whole yen (Pricing snapshot)."""

    reservation_fee_yen: int = 0
    deposit_yen: int = 0


class OneTimeLine(NamedTuple):
    """A line of the move-in invoice that bills no days."""

    item: LineItem
    yen: int


def is_bundled(start_on: date) -> bool:
    """Whether the invoice bundles the month after the move-in month (Move-in invoice rules 1)."""
    return start_on.day > LAST_DAY_UNBUNDLED


def invoice_months(start_on: date) -> int:
    """How many calendar months the move-in invoice bills: one or two (rules 1 and 2)."""
    return 2 if is_bundled(start_on) else 1


def first_ordinary_month(start_on: date) -> date:
    """First day of the month of the first ordinary rent entry (Move-in invoice rules 2)."""
    return add_months(month_first(start_on), invoice_months(start_on))


def invoice_periods(span: BillableSpan) -> tuple[Days, ...]:
    """The periods on the invoice, clipped to the billable days (Move-in invoice rules 1)."""
    return tuple(_clipped_periods(span))


def one_time_lines(amounts: OneTimeAmounts) -> tuple[OneTimeLine, ...]:
    """The reservation fee and the deposit as lines, the deposit last (Deposit 1)."""
    both = (
        OneTimeLine(LineItem.RESERVATION_FEE, amounts.reservation_fee_yen),
        OneTimeLine(LineItem.DEPOSIT, amounts.deposit_yen),
    )
    return tuple(line for line in both if line.yen)


def _clipped_periods(span: BillableSpan) -> Iterator[Days]:
    for months in range(invoice_months(span.first_on)):
        first_on = max(add_months(month_first(span.first_on), months), span.first_on)
        last_on = min(month_last(first_on), span.last_on or date.max)
        if first_on <= last_on:
            yield Days(first_on, last_on)
