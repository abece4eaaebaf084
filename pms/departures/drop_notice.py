"""Drops a notice: the resident stays, or goes on elsewhere by an amendment."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.departures.models import MoveOutNotice
from pms.departures.queries import notice_in_force
from pms.foundation.clock import Clock
from pms.ledger.models import LedgerEntry
from pms.ledger.void_entry import void_entry


def drop_notice(
    session: Session, clock: Clock, actor: str, *, reservation_id: str
) -> MoveOutNotice | None:
    """Withdraw the notice in force, if any, and void its penalty (States; Deposit 4).

    What was paid of the penalty is an overpayment. Who calls it says how the tenancy ends.
    """
    notice = notice_in_force(session, reservation_id)
    if notice is None:
        return None
    notice.withdrawn_at, notice.withdrawn_by = clock.now(), actor
    notice.version += 1
    session.flush()
    if notice.penalty_entry_id is not None:
        _void_arrears(session, clock, actor, notice.penalty_entry_id)
        void_entry(session, clock, actor, notice.penalty_entry_id)
    return notice


def _void_arrears(session: Session, clock: Clock, actor: str, penalty_entry_id: str) -> None:
    """The arrears charges that collect the penalty: that debt is gone too."""
    voided = select(LedgerEntry.opposes_id).where(LedgerEntry.opposes_id.is_not(None))
    arrears = select(LedgerEntry.id).where(
        LedgerEntry.arrears_of_id == penalty_entry_id, LedgerEntry.id.not_in(voided)
    )
    for entry_id in session.scalars(arrears.order_by(LedgerEntry.id)).all():
        void_entry(session, clock, actor, entry_id)
