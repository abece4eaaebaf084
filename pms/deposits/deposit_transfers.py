"""Moving a deposit to a new reservation."""

from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.deposits.deposit_report import balance_on
from pms.deposits.models import Amendment
from pms.deposits.settlements import CLOSED
from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import new_id
from pms.foundation.work import Work, has_row, locked
from pms.ledger.models import DepositMoveRow
from pms.reservations.changes import mark_changed
from pms.reservations.locks import lock_units
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.deposit import (
    DepositMove,
    DepositTransfer,
    deposit_transfer,
)
from pms.rules.enumerations import Lifecycle


def transfer_deposit(work: Work, *, reservation_id: str) -> DepositTransfer:
    """Close the held deposit of an amended reservation and open it on the new one (Deposit 4).

    `reservation_id` is the old reservation. No cash moves, debts stay behind, and the two lines sum
    to 0. Raises `Refused` without an amendment, for a second transfer, when nothing is held, and
    when the old or the new reservation is settled or cancelled.
    """
    amendment = _find_amendment(work.session, reservation_id)
    old, new = _lock_both(work.session, amendment)
    _refuse_moved_or_closed(work.session, amendment, old, new)
    held_yen = balance_on(work.session, old.id, work.clock.today()).held_yen
    transfer = deposit_transfer(held_yen, work.clock.today())
    if transfer is None:
        raise Refused("transfer: the old reservation has no deposit to move.")
    lines = ((old, transfer.out), (new, transfer.into))
    rows = [
        _build_move_row(reservation.id, line, amendment, work.clock, work.actor)
        for reservation, line in lines
    ]
    try:
        work.session.execute(insert(DepositMoveRow), rows)
    except IntegrityError as second:
        raise _refusal_of_second_move() from second
    facts = {"amount_yen": held_yen, "reservation_id": old.id, "new_reservation_id": new.id}
    for reservation in (old, new):
        mark_changed(reservation, work.clock, work.actor)
        note_audit_event(work, AuditEvent.DEPOSIT_TRANSFERRED, subject_of(reservation), after=facts)
    work.session.flush()
    return transfer


def _find_amendment(session: Session, reservation_id: str) -> Amendment:
    if not has_row(session, Reservation, reservation_id):
        raise no_such("reservation", reservation_id)
    found = session.scalar(select(Amendment).where(Amendment.old_reservation_id == reservation_id))
    if found is not None:
        return found
    raise Refused("transfer: a deposit can only be moved with a room or occupant change.")


def _lock_both(session: Session, amendment: Amendment) -> tuple[Reservation, Reservation]:
    """Lock both units, then both reservations, each in the order of their ids."""
    ids = (amendment.old_reservation_id, amendment.new_reservation_id)
    units = select(Reservation.unit_id).where(Reservation.id.in_(ids))
    lock_units(session, session.scalars(units).all())
    rows = {id_: locked(session, Reservation, id_) for id_ in sorted(ids)}
    return rows[ids[0]], rows[ids[1]]


def _refuse_moved_or_closed(
    session: Session, amendment: Amendment, old: Reservation, new: Reservation
) -> None:
    moved = select(DepositMoveRow.id).where(DepositMoveRow.transfer_id == amendment.id).limit(1)
    if session.scalar(moved) is not None:
        raise _refusal_of_second_move()
    for reservation in (old, new):
        if reservation.lifecycle in CLOSED:
            raise Refused(
                "transfer: reservation '{reservation_id}' is {lifecycle} already.",
                reservation_id=reservation.id,
                lifecycle=Lifecycle(reservation.lifecycle),
            )


def _refusal_of_second_move() -> Refused:
    return Refused("transfer: the deposit of this change has already been moved.")


def _build_move_row(
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
