"""Keeps the amounts of an offer as they were when it was made: as JSON in the row, and back."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from pms.arrivals.offered_terms import OfferedTerms
from pms.foundation.bilingual import Bilingual
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.rules.enumerations import FeeCategory, TaxTreatment


@dataclass(frozen=True, slots=True)
class FrozenTerms:
    """What an offer asks, whole yen: monthly, once, and the discount with its condition."""

    amounts: MonthlyAmounts
    fees: tuple[MonthlyFee, ...]
    discount: AgreedDiscount | None
    reservation_fee_yen: int
    deposit_yen: int

    @property
    def monthly_yen(self) -> int:
        """The sum of a whole month, before any discount."""
        own: dict[str, int] = asdict(self.amounts)
        return sum(own.values()) + sum(fee.amount_yen for fee in self.fees)


def usual_terms(offered: OfferedTerms, discount: AgreedDiscount | None = None) -> FrozenTerms:
    """Return what a unit is let for today, with a discount if one is given."""
    return FrozenTerms(
        amounts=offered.amounts,
        fees=tuple(one.fee for one in offered.fees if one.is_asked),
        discount=discount,
        reservation_fee_yen=offered.reservation_fee_yen,
        deposit_yen=offered.deposit_yen,
    )


def frozen(terms: FrozenTerms) -> dict[str, Any]:
    """Return the terms as the row keeps them."""
    return {
        "amounts": asdict(terms.amounts),
        "fees": [_kept_fee(fee) for fee in terms.fees],
        "discount": _kept_discount(terms.discount),
        "reservation_fee_yen": terms.reservation_fee_yen,
        "deposit_yen": terms.deposit_yen,
    }


def thawed(kept: Mapping[str, Any]) -> FrozenTerms:
    """Return the terms of a row."""
    return FrozenTerms(
        amounts=MonthlyAmounts(**kept["amounts"]),
        fees=tuple(_fee(one) for one in kept["fees"]),
        discount=_discount(kept["discount"]),
        reservation_fee_yen=kept["reservation_fee_yen"],
        deposit_yen=kept["deposit_yen"],
    )


def _kept_fee(fee: MonthlyFee) -> dict[str, Any]:
    return {
        "code": fee.code,
        "label": [fee.label.ja, fee.label.en],
        "category": fee.category.value,
        "tax_treatment": fee.tax_treatment.value,
        "amount_yen": fee.amount_yen,
    }


def _fee(kept: Mapping[str, Any]) -> MonthlyFee:
    return MonthlyFee(
        kept["code"],
        Bilingual(*kept["label"]),
        FeeCategory(kept["category"]),
        TaxTreatment(kept["tax_treatment"]),
        kept["amount_yen"],
    )


def _kept_discount(agreed: AgreedDiscount | None) -> dict[str, Any] | None:
    if agreed is None:
        return None
    return {
        "label": [agreed.label.ja, agreed.label.en],
        # Exact, as it was agreed (Money 3).
        "percent": None if agreed.percent is None else str(agreed.percent),
        "monthly_yen": agreed.monthly_yen,
        "is_recurring": agreed.is_recurring,
        "minimum_stay_days": agreed.minimum_stay_days,
    }


def _discount(kept: Mapping[str, Any] | None) -> AgreedDiscount | None:
    if kept is None:
        return None
    return AgreedDiscount(
        Bilingual(*kept["label"]),
        percent=None if kept["percent"] is None else Decimal(kept["percent"]),
        monthly_yen=kept["monthly_yen"],
        is_recurring=kept["is_recurring"],
        minimum_stay_days=kept["minimum_stay_days"],
    )
