"""Moves the held deposits of room and occupant changes once the new reservation begins."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pms.deposits.models import Amendment
from pms.deposits.queries import balances_on
from pms.deposits.transfer_deposit import transfer_deposit
from pms.foundation.clock import Clock
from pms.ledger.models import DepositMoveRow
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle


class DepositToMove(NamedTuple):
    """An amended reservation that still holds a deposit, and its unit."""

    reservation_id: str
    unit_id: str


def deposits_due(session: Session, today: date) -> Sequence[DepositToMove]:
    """Return the old reservations whose new one has begun and which still hold a deposit.

    One that is paid late, after the change, is found when it is paid.
    """
    return _holding(session, Amendment.last_on < today, today)


def move_deposit_of_new(
    session: Session, clock: Clock, actor: str, *, new_reservation_id: str
) -> bool:
    """Move the deposit that waits for a new reservation, whatever the day; tell whether it did."""
    waiting = _holding(session, Amendment.new_reservation_id == new_reservation_id, clock.today())
    move_deposits(session, clock, actor, waiting)
    return bool(waiting)


def move_deposits(
    session: Session, clock: Clock, actor: str, due: Sequence[DepositToMove]
) -> tuple[str, ...]:
    """Move each of them on paper; return the ids of the old reservations."""
    for old in due:
        transfer_deposit(session, clock, actor, reservation_id=old.reservation_id)
    return tuple(old.reservation_id for old in due)


def _holding(session: Session, which: ColumnElement[bool], today: date) -> Sequence[DepositToMove]:
    moved = select(DepositMoveRow.transfer_id).where(DepositMoveRow.transfer_id.is_not(None))
    question = (
        select(Reservation.id, Reservation.unit_id)
        .join(Amendment, Amendment.old_reservation_id == Reservation.id)
        .where(which, Reservation.lifecycle == Lifecycle.TRANSFERRED)
        .where(Amendment.id.not_in(moved))
        .order_by(Reservation.id)
    )
    amended = [DepositToMove(*row) for row in session.execute(question)]
    held = balances_on(session, [old.reservation_id for old in amended], today)
    return [old for old in amended if held[old.reservation_id].held_yen > 0]
