"""The consumption tax contained in the tax-inclusive amounts of one invoice."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

from pms.rules.enumerations import TaxTreatment
from pms.rules.yen import round_half_away

TAX_PERCENT: Final[Mapping[TaxTreatment, int]] = MappingProxyType({TaxTreatment.TAXABLE_10: 10})


class TaxedAmount(NamedTuple):
    """One amount of an invoice in tax-inclusive whole yen, with its treatment."""

    treatment: TaxTreatment
    yen: int


class ContainedTax(NamedTuple):
    """What an invoice shows for one treatment: the amounts with tax, and the tax inside them."""

    treatment: TaxTreatment
    inclusive_yen: int
    tax_yen: int


def contained_taxes(amounts: Iterable[TaxedAmount]) -> tuple[ContainedTax, ...]:
    """The tax per treatment found on one invoice, rounded once for all its lines (Money 2).

    Exempt amounts are shown with a tax of 0.
    """
    sums: dict[TaxTreatment, int] = {}
    for treatment, yen in amounts:
        sums[treatment] = sums.get(treatment, 0) + yen
    return tuple(
        ContainedTax(treatment, sums[treatment], contained_yen(treatment, sums[treatment]))
        for treatment in TaxTreatment
        if treatment in sums
    )


def contained_yen(treatment: TaxTreatment, inclusive_yen: int) -> int:
    """The tax inside one tax-inclusive sum (Money 3): at 10 percent ten parts of 110."""
    percent = TAX_PERCENT.get(treatment, 0)
    return round_half_away(Fraction(inclusive_yen * percent, 100 + percent))
