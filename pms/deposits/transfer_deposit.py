"""Moves the whole held deposit of a changed room or occupant, on paper and once."""

from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.deposits.models import Amendment
from pms.deposits.queries import balance_on
from pms.deposits.settlement_refusals import CLOSED
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id, new_id
from pms.ledger.models import DepositMoveRow
from pms.reservations.changing import mark_changed
from pms.reservations.locks import lock_units, locked_reservation
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed
from pms.rules.deposit import DepositMove, DepositTransfer, deposit_transfer
from pms.rules.enumerations import Lifecycle


def transfer_deposit(
    session: Session, clock: Clock, actor: str, *, reservation_id: str
) -> DepositTransfer:
    """Close the held deposit of an amended reservation and open it on the new one (Deposit 4).

    `reservation_id` is the old reservation. No cash moves, debts stay behind, and the two lines
    sum to 0. Raises `Refused` without an amendment, for a second transfer, when nothing is held,
    and when the money of the old or the new reservation was closed.
    """
    amendment = _amendment(session, reservation_id)
    old, new = _both_locked(session, amendment)
    _refuse_moved_or_closed(session, amendment, old, new)
    held_yen = balance_on(session, old.id, clock.today()).held_yen
    transfer = deposit_transfer(held_yen, clock.today())
    if transfer is None:
        raise Refused("transfer: the old reservation holds no deposit to move.")
    lines = ((old, transfer.out), (new, transfer.into))
    rows = [_row(one.id, line, amendment, clock, actor) for one, line in lines]
    try:
        session.execute(insert(DepositMoveRow), rows)
    except IntegrityError as second:
        raise _moved_already() from second
    told = {"amount_yen": held_yen, "reservation_id": old.id, "new_reservation_id": new.id}
    for one in (old, new):
        mark_changed(one, clock, actor)
        note_deed(session, clock, actor, Deed.DEPOSIT_TRANSFERRED, subject_of(one), after=told)
    session.flush()
    return transfer


def _amendment(session: Session, reservation_id: str) -> Amendment:
    is_here = select(Reservation.id).where(Reservation.id == reservation_id)
    if not is_id(reservation_id) or session.scalar(is_here) is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    found = session.scalar(select(Amendment).where(Amendment.old_reservation_id == reservation_id))
    if found is not None:
        return found
    raise Refused("transfer: a deposit moves only with a room or occupant change, an amendment.")


def _both_locked(session: Session, amendment: Amendment) -> tuple[Reservation, Reservation]:
    """Both units first, then both reservations, each in the order of their ids."""
    ids = (amendment.old_reservation_id, amendment.new_reservation_id)
    units = select(Reservation.unit_id).where(Reservation.id.in_(ids))
    lock_units(session, session.scalars(units).all())
    rows = {id_: locked_reservation(session, id_) for id_ in sorted(ids)}
    return rows[ids[0]], rows[ids[1]]


def _refuse_moved_or_closed(
    session: Session, amendment: Amendment, old: Reservation, new: Reservation
) -> None:
    moved = select(DepositMoveRow.id).where(DepositMoveRow.transfer_id == amendment.id).limit(1)
    if session.scalar(moved) is not None:
        raise _moved_already()
    for one in (old, new):
        if one.lifecycle in CLOSED:
            raise Refused(
                "transfer: reservation '{reservation_id}' is {lifecycle} already.",
                reservation_id=one.id,
                lifecycle=Lifecycle(one.lifecycle),
            )


def _moved_already() -> Refused:
    return Refused("transfer: the deposit of this amendment was moved already, which happens once.")


def _row(
    reservation_id: str, move: DepositMove, amendment: Amendment, clock: Clock, actor: str
) -> dict[str, Any]:
    return {
        "id": new_id(),
        "reservation_id": reservation_id,
        "kind": move.kind,
        "moved_on": move.on,
        "amount_yen": move.yen,
        "transfer_id": amendment.id,
        "settlement_id": None,
        "written_at": clock.now(),
        "written_by": actor,
    }
