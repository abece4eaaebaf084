"""Charges a one-time fee of the workspace's catalogue (specification, Fee catalogue; Money 3)."""

from datetime import date
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.phrases import Phrase
from pms.ledger.post_charge import post_charge
from pms.pricing.agreed_price import checked_yen
from pms.pricing.queries import price_of
from pms.rules.enumerations import FeeCategory, RecurringItem, TaxTreatment
from pms.rules.price_timeline import monthly_yen
from pms.rules.yen import percent_charge
from pms.workspaces.models import Fee


def charge_fee(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    fee_code: str,
    of_yen: int | None = None,
    due_on: date | None = None,
) -> str:
    """Post a fee by its code and return the entry's id; the catalogue says the amount.

    A percentage is taken of `of_yen`, else of the base rent in force today, and rounded once,
    now that it becomes a charge.
    """
    fee = session.scalar(select(Fee).where(Fee.code == fee_code))
    if fee is None:
        raise NotFound("The catalogue has no fee '{fee_code}'.", fee_code=fee_code[:60])
    if fee.is_monthly:
        raise Refused(
            "The fee '{fee_code}' is charged every month as part of a price.", fee_code=fee.code
        )
    return post_charge(
        session,
        clock,
        actor,
        reservation_id=reservation_id,
        amount_yen=_amount_yen(session, clock.today(), reservation_id, fee, of_yen),
        label=Bilingual(fee.label_ja, fee.label_en),
        category=FeeCategory(fee.category),
        tax_treatment=TaxTreatment(fee.tax_treatment),
        due_on=due_on,
        item=fee.code,
    )


def _amount_yen(
    session: Session, today: date, reservation_id: str, fee: Fee, of_yen: int | None
) -> int:
    if fee.percent is None:
        return fee.amount_yen or 0
    if of_yen is None:
        periods = price_of(session, reservation_id).price.periods
        of_yen = monthly_yen(periods, RecurringItem.BASE_RENT, today)
    return percent_charge(Decimal(fee.percent), checked_yen(Phrase("of_yen"), of_yen))
