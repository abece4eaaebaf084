"""Shows what a room or occupant change would end, write and move; nothing is written."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Unpack

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.amend import AmendedFacts
from pms.arrivals.amendment_plan import plan_amendment
from pms.arrivals.booking_plan import BookingPlan
from pms.departures.queries import notice_in_force
from pms.deposits.queries import balance_on
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.ledger.move_overpayment import preview_overpayment
from pms.ledger.reprice_rows import preview_repricing
from pms.ledger.repricing_plan import RepricedRow
from pms.reservations.models import Reservation
from pms.reservations.tenancy_facts import tenancy_of
from pms.rules.days import ONE_DAY
from pms.rules.deposit import DepositTransfer, deposit_transfer


@dataclass(frozen=True, slots=True)
class AmendmentPreview:
    """The booking that would go on, and what becomes of the old record.

    `dropped_move_out_on` is the day of a notice that would fall away with its penalty. `transfer`
    holds both lines of the deposit as it is held today, on the day on which it would move.
    `overpaid_yen` is what the old record would be overpaid, and `moving_yen` what of it would pay
    the new invoice.
    """

    version: int
    new: BookingPlan
    repriced: tuple[RepricedRow, ...]
    transfer: DepositTransfer | None
    dropped_move_out_on: date | None
    overpaid_yen: int = 0
    moving_yen: int = 0


def preview_amendment(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    last_on: date,
    moves_overpayment: bool = False,
    **facts: Unpack[AmendedFacts],
) -> AmendmentPreview:
    """Return what `amend` of the same facts would write today, or raise as it would."""
    row, today = _found(session, reservation_id), clock.today()
    new = plan_amendment(session, today, row, last_on=last_on, new_reservation_id="", facts=facts)
    ended = replace(tenancy_of(session, row.id, today), move_out_on=last_on)
    notice = notice_in_force(session, row.id)
    held_yen = balance_on(session, row.id, today).held_yen
    repriced = preview_repricing(session, clock, row.id, ended)
    voided = [notice.penalty_entry_id] if notice else []
    overpaid_yen = preview_overpayment(session, clock, row.id, repriced, voided)
    return AmendmentPreview(
        version=row.version,
        new=new,
        repriced=repriced,
        transfer=deposit_transfer(held_yen, max(today, last_on + ONE_DAY)),
        dropped_move_out_on=notice.move_out_on if notice else None,
        overpaid_yen=overpaid_yen,
        moving_yen=overpaid_yen if moves_overpayment and new.invoice else 0,
    )


def _found(session: Session, reservation_id: str) -> Reservation:
    row = None
    if is_id(reservation_id):
        row = session.scalar(select(Reservation).where(Reservation.id == reservation_id))
    if row is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    return row
