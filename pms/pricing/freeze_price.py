"""Freezes the price of a booking: the original, the first period of the current one, the discount."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase
from pms.pricing.agreed_price import (
    AgreedDiscount,
    MonthlyAmounts,
    MonthlyFee,
    checked_amounts,
    checked_discount,
    checked_fees,
)
from pms.pricing.models import FrozenDiscount, PricingSnapshot
from pms.pricing.write_period import write_period
from pms.reservations.locks import locked_reservation
from pms.reservations.tenancy_facts import tenancy_of
from pms.rules.contract_dates import contract_days
from pms.rules.discounts import earns_discount


def freeze_price(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    first_on: date,
    amounts: MonthlyAmounts,
    fees: Sequence[MonthlyFee] = (),
    discount: AgreedDiscount | None = None,
) -> None:
    """Write the price a resident agreed to, once (specification, Pricing snapshot).

    The discount is refused when the agreed term does not earn it; afterwards it stays frozen.
    """
    columns, sound_fees = checked_amounts(amounts), checked_fees(fees)
    locked_reservation(session, reservation_id)
    if session.scalar(
        select(PricingSnapshot.id).where(PricingSnapshot.reservation_id == reservation_id)
    ):
        raise Refused(
            "The price of reservation {reservation_id} is frozen and stays as it is.",
            reservation_id=reservation_id,
        )
    if discount is not None:
        session.add(_earned(session, clock, reservation_id, discount))
    session.add(
        PricingSnapshot(reservation_id=reservation_id, frozen_at=clock.now(), **columns),
    )
    write_period(
        session, reservation_id, first_on=first_on, last_on=None, columns=columns, fees=sound_fees
    )


def _earned(
    session: Session, clock: Clock, reservation_id: str, agreed: AgreedDiscount
) -> FrozenDiscount:
    term = tenancy_of(session, reservation_id, clock.today()).term
    if not earns_discount(checked_discount(agreed), term):
        raise Refused(
            "The discount needs a stay of {minimum_days} days; {agreed_days} days are agreed.",
            minimum_days=agreed.minimum_stay_days,
            agreed_days=contract_days(term) or Phrase("no"),
        )
    return FrozenDiscount(
        reservation_id=reservation_id,
        label_ja=agreed.label.ja or agreed.label.en or "",
        label_en=agreed.label.en or agreed.label.ja or "",
        percent=None if agreed.percent is None else format(agreed.percent, "f"),
        monthly_yen=agreed.monthly_yen,
        is_recurring=agreed.is_recurring,
        minimum_stay_days=agreed.minimum_stay_days,
    )
