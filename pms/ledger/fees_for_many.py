"""The one-time fees of the catalogue as a charge for many takes them."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.workspaces.models import Fee


class OneTimeFee(NamedTuple):
    """A fee that is charged once: whole yen, or a percentage of each rent."""

    code: str
    label: Bilingual
    amount_yen: int | None
    percent: str | None
    category: FeeCategory
    tax_treatment: TaxTreatment


def fees_for_many(session: Session) -> Sequence[OneTimeFee]:
    """Return the fees by label; a reservation fee belongs to a booking."""
    rows = session.scalars(
        select(Fee)
        .where(
            Fee.is_monthly.is_(False),
            Fee.category != FeeCategory.RESERVATION_FEE,
        )
        .order_by(Fee.label_ja, Fee.code)
    )
    return [
        OneTimeFee(
            fee.code,
            Bilingual(fee.label_ja, fee.label_en),
            fee.amount_yen,
            fee.percent,
            FeeCategory(fee.category),
            TaxTreatment(fee.tax_treatment),
        )
        for fee in rows
    ]
