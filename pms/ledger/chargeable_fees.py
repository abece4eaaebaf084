"""The one-time fees of the catalogue with what each would cost a reservation today."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.pricing.queries import agreed_prices
from pms.rules.enumerations import FeeCategory, RecurringItem, TaxTreatment
from pms.rules.price_timeline import monthly_yen
from pms.rules.yen import percent_charge
from pms.workspaces.models import Fee


class ChargeableFee(NamedTuple):
    """A fee that is charged once; without a price to take a percentage of it has no amount."""

    code: str
    label: Bilingual
    category: FeeCategory
    tax_treatment: TaxTreatment
    yen: int | None


def chargeable_fees(session: Session, clock: Clock, reservation_id: str) -> Sequence[ChargeableFee]:
    """Return the fees by label; a percentage is taken of the base rent in force today."""
    agreed = agreed_prices(session, [reservation_id]).get(reservation_id)
    rent_yen = None
    if agreed is not None and agreed.price.periods:
        rent_yen = monthly_yen(agreed.price.periods, RecurringItem.BASE_RENT, clock.today())
    rows = session.scalars(select(Fee).where(Fee.is_monthly.is_(False)).order_by(Fee.label_ja))
    return [
        ChargeableFee(
            fee.code,
            Bilingual(fee.label_ja, fee.label_en),
            FeeCategory(fee.category),
            TaxTreatment(fee.tax_treatment),
            _yen(fee, rent_yen),
        )
        for fee in rows
    ]


def _yen(fee: Fee, rent_yen: int | None) -> int | None:
    if fee.percent is None:
        return fee.amount_yen
    return None if rent_yen is None else percent_charge(Decimal(fee.percent), rent_yen)
