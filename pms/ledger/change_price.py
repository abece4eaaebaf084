"""Changes the price of a reservation from a day that is not yet billed (Pricing snapshot)."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.ledger.queries import first_unbilled_day
from pms.pricing.add_price_period import add_price_period
from pms.pricing.agreed_price import MonthlyAmounts, MonthlyFee
from pms.reservations.locks import locked_reservation


def change_price(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    from_on: date,
    amounts: MonthlyAmounts,
    fees: Sequence[MonthlyFee] = (),
) -> None:
    """Begin a new price period; days that a row covers keep the price they were billed at."""
    locked_reservation(session, reservation_id)
    unbilled_on = first_unbilled_day(session, reservation_id)
    if unbilled_on is not None and from_on < unbilled_on:
        raise Refused(
            f"A new price from {from_on} would touch days that are billed;"
            f" it can begin on {unbilled_on} or later."
        )
    add_price_period(
        session, reservation_id=reservation_id, from_on=from_on, amounts=amounts, fees=fees
    )
