"""Changes the price of a reservation from a day that is not yet billed (Pricing snapshot)."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy.orm import Session

from pms.foundation.audit import note_difference, of_reservation
from pms.foundation.clock import Clock
from pms.ledger.preview_price import refuse_billed_days
from pms.pricing.add_price_period import add_price_period
from pms.pricing.agreed_price import MonthlyAmounts, MonthlyFee
from pms.pricing.queries import price_of
from pms.reservations.locks import locked_reservation
from pms.rules.deeds import Deed
from pms.rules.price_timeline import period_on


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
    refuse_billed_days(session, reservation_id, from_on)
    before = _monthly_yen(session, reservation_id, from_on)
    add_price_period(
        session, reservation_id=reservation_id, from_on=from_on, amounts=amounts, fees=fees
    )
    agreed = _monthly_yen(session, reservation_id, from_on)
    facts = {
        "before": before,
        "after": {**dict.fromkeys(before, 0), **agreed, "price_from_on": from_on},
    }
    about = of_reservation(reservation_id)
    note_difference(session, clock, actor, Deed.PRICE_CHANGED, about, **facts)


def _monthly_yen(session: Session, reservation_id: str, on: date) -> dict[str, Any]:
    """What each item costs a month on a day, by its name."""
    periods = price_of(session, reservation_id).price.periods
    return {f"{item}_yen": yen for item, yen in period_on(periods, on).amounts.items()}
