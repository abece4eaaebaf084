"""The discount frozen with the price: its amount, and who is eligible."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from pms.rules.contract_dates import Term, contract_days
from pms.rules.policy import Days
from pms.rules.price_changes import PricedDays
from pms.rules.rent_lines import prorated_yen
from pms.rules.yen import percent_of, round_half_away


@dataclass(frozen=True, slots=True)
class Discount:
    """A percentage of the base rent or whole yen a month; a non-recurring one applies once."""

    percent: Decimal | None = None
    yen: int | None = None
    is_recurring: bool = True
    minimum_stay_days: int = 0


def earns_discount(discount: Discount, term: Term) -> bool:
    """Whether the agreed term meets the minimum stay at booking (Pricing snapshot, Discount).

    Checked once: afterwards the discount is frozen. An open term meets no minimum.
    """
    return (contract_days(term) or 0) >= discount.minimum_stay_days


def discount_yen(
    discount: Discount, rent: Sequence[PricedDays], is_first_period: bool
) -> list[tuple[Days, int]]:
    """Return runs of days with the yen taken off, as positive figures (Move-in invoice rules 3).

    `rent` is the base rent of days that are billed together. A non-recurring discount applies to
    the first billed period only.
    """
    if not (discount.is_recurring or is_first_period):
        return []
    if discount.percent is not None:
        return [(run.days, _percent_yen(discount.percent, run)) for run in rent]
    return _monthly_yen(discount.yen or 0, rent)


def _percent_yen(percent: Decimal, run: PricedDays) -> int:
    """The share of the exact prorated rent, never of the rounded line (Money 2 and 3)."""
    exact = prorated_yen(run.monthly_yen, run.days)
    return round_half_away(min(percent_of(percent, exact), exact))


def _monthly_yen(yen: int, rent: Sequence[PricedDays]) -> list[tuple[Days, int]]:
    """Yen a month, prorated with the rent and never more than it; equal amounts form one run."""
    taken: list[tuple[Days, int]] = []
    for monthly_yen, runs_together in groupby(rent, lambda run: min(yen, run.monthly_yen)):
        runs = list(runs_together)
        days = Days(runs[0].days.first_on, runs[-1].days.last_on)
        rounded = round_half_away(prorated_yen(monthly_yen, days))
        # Each rent line is rounded by itself, so a discount of nearly all of it could exceed it.
        billed = sum(round_half_away(prorated_yen(run.monthly_yen, run.days)) for run in runs)
        taken.append((days, min(rounded, billed)))
    return [(days, yen) for days, yen in taken if yen]
