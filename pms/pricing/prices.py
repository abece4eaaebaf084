"""Prices of units and reservations: periods, agreed prices and frozen ones."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Phrase
from pms.pricing.agreed_price import (
    AgreedDiscount,
    MonthlyAmounts,
    MonthlyFee,
    checked_amounts,
    checked_discount,
    checked_fees,
)
from pms.pricing.models import FrozenDiscount, PeriodFee, PricePeriod, PricingSnapshot
from pms.pricing.queries import price_of
from pms.reservations.changes import locked_reservation
from pms.reservations.tenancies import tenancy_of
from pms.rules.contract_dates import contract_days
from pms.rules.discounts import earns_discount
from pms.rules.price_changes import refusal_of_timeline, with_new_period


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


def add_price_period(
    session: Session,
    *,
    reservation_id: str,
    from_on: date,
    amounts: MonthlyAmounts,
    fees: Sequence[MonthlyFee] = (),
) -> None:
    """Add a period that closes the one it cuts the day before (Pricing snapshot, Current price).

    It ends where the period it cuts would have ended, so that there is no gap and no overlap;
    a period that already begins on the day is refused. The caller knows which days are billed.
    """
    columns, sound_fees = checked_amounts(amounts), checked_fees(fees)
    periods = price_of(session, reservation_id).price.periods
    if any(period.first_on == from_on for period in periods):
        raise Refused(
            "A price period already begins on {from_on}; periods may not overlap. Choose"
            " another day.",
            from_on=from_on,
        )
    changed = with_new_period(periods, from_on, {})
    problem = refusal_of_timeline(changed)
    if problem is not None:
        raise Refused(
            "The price from {from_on} would leave no timeline: {problem}.",
            from_on=from_on,
            problem=problem,
        )
    last_days = {period.first_on: period.last_on for period in changed}
    for row in session.scalars(
        select(PricePeriod).where(PricePeriod.reservation_id == reservation_id)
    ):
        row.last_on = last_days[row.first_on]
    write_period(
        session,
        reservation_id,
        first_on=from_on,
        last_on=last_days[from_on],
        columns=columns,
        fees=sound_fees,
    )


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
