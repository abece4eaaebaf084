"""Drops a notice: the resident stays, or goes on elsewhere by an amendment."""

from sqlalchemy.orm import Session

from pms.departures.models import MoveOutNotice
from pms.departures.queries import notice_in_force
from pms.foundation.clock import Clock
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
        void_entry(session, clock, actor, notice.penalty_entry_id)
    return notice
