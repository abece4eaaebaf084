"""Writes one period of the current price with the fees in force during it."""

from collections.abc import Iterable, Mapping
from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.ids import new_id
from pms.pricing.agreed_price import MonthlyFee
from pms.pricing.models import PeriodFee, PricePeriod


def write_period(
    session: Session,
    reservation_id: str,
    *,
    first_on: date,
    last_on: date | None,
    columns: Mapping[str, int],
    fees: Iterable[MonthlyFee],
) -> str:
    """Add a period and its fees, and flush; return its id."""
    period_id = new_id()
    session.add(
        PricePeriod(
            id=period_id,
            reservation_id=reservation_id,
            first_on=first_on,
            last_on=last_on,
            **columns,
        )
    )
    session.flush()
    session.add_all(_fee_row(period_id, fee) for fee in fees)
    session.flush()
    return period_id


def _fee_row(period_id: str, fee: MonthlyFee) -> PeriodFee:
    return PeriodFee(
        period_id=period_id,
        code=fee.code,
        label_ja=fee.label.ja or fee.label.en or fee.code,
        label_en=fee.label.en or fee.label.ja or fee.code,
        category=fee.category,
        tax_treatment=fee.tax_treatment,
        amount_yen=fee.amount_yen,
    )
