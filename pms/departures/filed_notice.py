"""Writes a notice as it was worked out: the record, the penalty, the repriced rent."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.departures.departing import Departing
from pms.departures.models import MoveOutNotice, NoticeFiling
from pms.departures.notice_plan import NoticePlan, told_notice
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.ledger.post_penalty import post_penalty
from pms.ledger.reprice_rows import reprice_rows
from pms.ledger.repricing_plan import RepricedRow
from pms.reservations.changing import mark_changed
from pms.reservations.models import Reservation
from pms.reservations.unit_conflicts import stored_without_overlap
from pms.rules.enumerations import Lifecycle
from pms.rules.notice_edits import FiledNotice
from pms.rules.penalties import FORFEIT_YEN, Penalty
from pms.rules.taking_over import lines_beyond


@dataclass(frozen=True, slots=True)
class FiledMoveOut:
    """What a filing, an edit or a recalculation wrote."""

    notice: MoveOutNotice
    penalty: Penalty
    repriced: tuple[RepricedRow, ...]

    @property
    def repriced_yen(self) -> int:
        """What issued rent became more; less is negative."""
        return sum(row.change_yen for row in self.repriced)


def new_notice(reservation_id: str) -> MoveOutNotice:
    """Return a notice still to be written; the forfeit is retired (specification, Deposit 6)."""
    return MoveOutNotice(
        id=new_id(), reservation_id=reservation_id, forfeit_yen=FORFEIT_YEN, version=0
    )


def notice_facts(row: Reservation, notice: MoveOutNotice) -> dict[str, Any]:
    """Return what the audit tells of a notice and of the reservation that it ends."""
    return {
        "lifecycle": row.lifecycle,
        "move_out_date": row.move_out_date,
        "expected_departure_date": row.expected_departure_date,
        "filed_on": notice.filed_on,
        "notice_missing_days": notice.notice_missing_days,
        "penalty_yen": notice.penalty_yen,
        "penalty_days": notice.penalty_days,
    }


def write_notice(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    row: Reservation,
    notice: MoveOutNotice,
    plan: NoticePlan,
) -> FiledMoveOut:
    """Write a filed or edited notice with the day it asks for, and set the move-out day.

    Any expected departure clears itself (specification, Availability).
    """
    set_figures(notice, plan, clock, actor)
    session.add(notice)
    try:
        session.flush()
    except IntegrityError as second:
        raise Refused("notice: another notice was filed at the same moment.") from second
    session.add(_filing(notice, plan, clock, actor))
    row.move_out_date = plan.filed.move_out_on
    row.expected_departure_date = None
    mark_changed(row, clock, actor)
    with stored_without_overlap(session):
        session.flush()
    bill_penalty(session, clock, actor, notice, plan.penalty)
    repriced = reprice_rows(session, clock, actor, row.id)
    return FiledMoveOut(notice, plan.penalty, repriced)


def bill_penalty(
    session: Session, clock: Clock, actor: str, notice: MoveOutNotice, penalty: Penalty
) -> None:
    """Have the notice's one charge stand at the penalty (specification, Move-out penalties 3).

    What was paid stays with it, so that only what was paid above it is an overpayment. Of a notice
    that came along with a tenancy taken over only what exceeds its penalty elsewhere is charged.
    """
    penalty_elsewhere_yen = (
        session.scalar(
            select(Reservation.penalty_elsewhere_yen).where(Reservation.id == notice.reservation_id)
        )
        or 0
    )
    notice.penalty_entry_id = post_penalty(
        session,
        clock,
        actor,
        reservation_id=notice.reservation_id,
        notice_id=notice.id,
        lines=lines_beyond(penalty.lines, penalty_elsewhere_yen),
    )
    session.flush()


def note_told_notice(
    session: Session, clock: Clock, actor: str, found: Departing, filed: FiledNotice
) -> int:
    """Write a notice that came along with a tenancy taken over; return what it had cost elsewhere.

    Nothing is charged and no row is repriced: none was issued here yet.
    """
    row, plan = found.row, told_notice(found, filed)
    notice = new_notice(row.id)
    set_figures(notice, plan, clock, actor)
    session.add(notice)
    session.flush()
    session.add(_filing(notice, plan, clock, actor))
    row.move_out_date, row.expected_departure_date = filed.move_out_on, None
    row.lifecycle = Lifecycle.NOTICE_FILED
    if filed.move_out_on < clock.today():
        row.lifecycle = Lifecycle.MOVED_OUT
    with stored_without_overlap(session):
        session.flush()
    return plan.penalty.yen


def set_figures(notice: MoveOutNotice, plan: NoticePlan, clock: Clock, actor: str) -> None:
    """Put what was worked out into the notice, which becomes its next version."""
    penalty = plan.penalty
    notice.filed_on, notice.move_out_on = plan.filed.filed_on, plan.filed.move_out_on
    notice.notice_owed_days = penalty.notice.owed_days
    notice.notice_given_days = penalty.notice.given_days
    notice.notice_missing_days = penalty.notice.missing_days
    notice.early_exit_yen = penalty.early_exit.yen
    notice.short_notice_yen = penalty.short_notice.yen
    notice.penalty_yen, notice.penalty_days = penalty.yen, penalty.days
    notice.kind, notice.basis = penalty.kind, penalty.basis
    notice.is_capped, notice.runs_until_on = penalty.is_capped, penalty.runs_until_on
    notice.written_at, notice.written_by = clock.now(), actor
    notice.version += 1


def _filing(notice: MoveOutNotice, plan: NoticePlan, clock: Clock, actor: str) -> NoticeFiling:
    return NoticeFiling(
        id=new_id(),
        notice_id=notice.id,
        number=notice.version,
        filed_on=plan.asked_on,
        move_out_on=plan.filed.move_out_on,
        written_at=clock.now(),
        written_by=actor,
    )
