"""Withdraws a move-out notice: the resident stays, and the penalty is voided."""

from sqlalchemy.orm import Session

from pms.departures.departing import departing
from pms.departures.drop_notice import drop_notice
from pms.departures.models import MoveOutNotice
from pms.departures.seen_version import refuse_stale
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.ledger.reprice_rows import reprice_rows
from pms.reservations.changing import mark_changed, move_lifecycle, reservation_to_change
from pms.reservations.unit_conflicts import refuse_conflict, stored_without_overlap
from pms.reservations.unit_stays import stay_of
from pms.rules.deeds import Deed
from pms.rules.enumerations import Lifecycle


def withdraw_notice(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    version: int | None = None,
) -> MoveOutNotice:
    """Take a notice back (States and transitions): living again, open again, rent repriced.

    What was paid of the penalty is an overpayment. Raises `Refused` without a notice, after the
    resident has moved out, and when the unit is booked for the nights that would be held again;
    `Collision` when the notice changed since `version` was seen.
    """
    row = reservation_to_change(session, reservation_id)
    found = departing(session, row, clock.today())
    notice = found.notice
    if notice is None:
        raise Refused("notice: no move-out notice is filed that could be withdrawn.")
    refuse_stale(session, notice, version)
    stay = stay_of(row)._replace(move_out_on=None)
    refuse_conflict(session, stay, row.unit_id, clock.today())
    move_lifecycle(row, Lifecycle.LIVING)
    row.move_out_date = None
    # Of a notice that came along nothing is left; a new one is charged whole.
    row.penalty_elsewhere_yen = 0
    mark_changed(row, clock, actor)
    voided = {"voided_penalty_yen": notice.penalty_yen}
    note_change(session, clock, actor, Deed.NOTICE_WITHDRAWN, row, also=voided)
    with stored_without_overlap(session):
        drop_notice(session, clock, actor, reservation_id=row.id)
    reprice_rows(session, clock, actor, row.id)
    return notice
