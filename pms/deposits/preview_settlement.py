"""Shows what a settlement would do today, without writing anything."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.deposits.settlement_plan import AskedDeduction, SettlementPlan, plan_settlement
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation


def preview_settlement(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    deductions: Sequence[AskedDeduction] = (),
) -> SettlementPlan:
    """Return the settlement as `settle` would write it today, or raise what it would refuse."""
    row = None
    if is_id(reservation_id):
        row = session.scalar(select(Reservation).where(Reservation.id == reservation_id))
    if row is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    return plan_settlement(session, row, deductions, clock.today())
