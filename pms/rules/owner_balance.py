"""An owner's month: brought forward, income, deductions, what is paid out, and what is left."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pms.rules.days import ONE_DAY, month_days, month_last
from pms.rules.yen import percent_charge


class PublishedPayout(NamedTuple):
    """The payout a month's statement named when it was published last, in whole yen."""

    yen: int
    payout_on: date


class OwnerMonth(NamedTuple):
    """One month of a building: income and deductions in whole yen, and its payout if published."""

    month_on: date
    income_yen: int
    deducted_yen: int
    management_percent: Decimal = Decimal(0)
    published: PublishedPayout | None = None

    @property
    def fee_yen(self) -> int:
        """What the operator keeps of the income, rounded once as a charge (Money 3)."""
        return percent_charge(self.management_percent, self.income_yen)

    @property
    def result_yen(self) -> int:
        """Income less everything deducted."""
        return self.income_yen - self.fee_yen - self.deducted_yen


@dataclass(frozen=True, slots=True)
class OwnerBalance:
    """The balance of one month in whole yen; what is brought or carried forward may be negative."""

    opening_yen: int
    income_yen: int
    fee_yen: int
    deducted_yen: int
    payout_yen: int

    @property
    def closing_yen(self) -> int:
        """What the month leaves before the payout (Owner)."""
        return self.opening_yen + self.income_yen - self.fee_yen - self.deducted_yen

    @property
    def carried_yen(self) -> int:
        """What the next month opens with."""
        return self.closing_yen - self.payout_yen


def owner_balance(earlier: Iterable[OwnerMonth], month: OwnerMonth, today: date) -> OwnerBalance:
    """The balance of a month after all earlier ones (Owner; Money 1).

    Nothing leaves without a published statement, so a month nobody published is carried on.
    Everything is paid out that is not negative; from the day of a published payout on, that
    payout stands, and what a correction changes is carried to the next month.
    """
    opening_yen = sum(past.result_yen - _sent_yen(past) for past in earlier)
    closing_yen = opening_yen + month.result_yen
    return OwnerBalance(
        opening_yen=opening_yen,
        income_yen=month.income_yen,
        fee_yen=month.fee_yen,
        deducted_yen=month.deducted_yen,
        payout_yen=_payout_yen(month.published, closing_yen, today),
    )


def payout_day(month_on: date, day: int) -> date:
    """The day of the next month on which a month is paid out, its last day when it is shorter."""
    next_first = month_last(month_on) + ONE_DAY
    return next_first.replace(day=min(day, month_days(next_first)))


def _sent_yen(month: OwnerMonth) -> int:
    return month.published.yen if month.published is not None else 0


def _payout_yen(published: PublishedPayout | None, closing_yen: int, today: date) -> int:
    if published is not None and published.payout_on <= today:
        return published.yen
    return max(closing_yen, 0)
