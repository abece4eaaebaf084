"""Puts a new period into the current price of a reservation."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import Refused
from pms.pricing.agreed_price import MonthlyAmounts, MonthlyFee, checked_amounts, checked_fees
from pms.pricing.models import PricePeriod
from pms.pricing.queries import price_of
from pms.pricing.write_period import write_period
from pms.rules.price_changes import refusal_of_timeline, with_new_period


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
