"""Move-out notices: filing, editing, previewing and withdrawing them."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.departures.departures import Departing, departing, notice_in_force
from pms.departures.models import MoveOutNotice, NoticeFiling
from pms.departures.notice_plans import (
    NoticePlan,
    NoticePreview,
    plan_edit,
    plan_filing,
    plan_of_notice_given_before,
    plan_standing,
)
from pms.foundation.audit import note_change, note_difference, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Actor
from pms.foundation.work import Work
from pms.ledger.charges import post_penalty
from pms.ledger.posting import void_entry
from pms.ledger.repricing import RepricedRow, reprice_rows
from pms.reservations.changes import (
    lifecycle_as_staff_say,
    mark_changed,
    move_lifecycle,
    refuse_conflict,
    stay_of,
    stored_without_overlap,
)
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN
from pms.rules.enumerations import Lifecycle, PenaltyKind
from pms.rules.notices import FiledNotice
from pms.rules.penalties import FORFEIT_YEN, Penalty
from pms.rules.taking_over import charged_here, lines_beyond
from pms.rules.tax_classes import TaxedItem
from pms.upkeep.turnovers import tend_turnovers


def drop_notice(work: Work, *, reservation_id: str) -> MoveOutNotice | None:
    """Withdraw the notice in force, if any, and void its penalty (States; Deposit 4).

    What was paid of the penalty is an overpayment. The caller records how the tenancy ends.
    """
    notice = notice_in_force(work.session, reservation_id)
    if notice is None:
        return None
    notice.withdrawn_at, notice.withdrawn_by = work.clock.now(), work.actor
    notice.version += 1
    work.session.flush()
    if notice.penalty_entry_id is not None:
        void_entry(work, notice.penalty_entry_id)
    return notice


def refuse_stale(session: Session, notice: MoveOutNotice, version: int | None) -> None:
    """Raise `Collision` naming who changed what and when, unless the version is the present one."""
    if version is None or version == notice.version:
        return
    at = notice.written_at.astimezone(JAPAN)
    raise Collision(
        "version: The notice changed since you opened it (version {seen}, now "
        "{current}): {person} set the move-out day to {move_out_on} on {at:%Y-%m-%d at "
        "%H:%M} (Japan time). Look at it again.",
        seen=version,
        current=notice.version,
        person=Actor(notice.written_by),
        move_out_on=notice.move_out_on,
        at=at,
    )


def withdraw_notice(
    work: Work, *, reservation_id: str, version: int | None = None
) -> MoveOutNotice:
    """Withdraw a notice (States and transitions): the state is living again, rent is repriced.

    What was paid of the penalty is an overpayment. Raises `Refused` without a notice, after the
    resident has moved out, and when the unit is booked for nights that would be taken again;
    `Collision` when the notice changed since `version`.
    """
    row = reservation_to_change(work.session, reservation_id)
    found = departing(work.session, row, work.clock.today())
    notice = found.notice
    if notice is None:
        raise Refused("notice: there is no notice to withdraw.")
    refuse_stale(work.session, notice, version)
    stay = stay_of(row)._replace(move_out_on=None)
    refuse_conflict(work.session, stay, row.unit_id, work.clock.today())
    move_lifecycle(row, Lifecycle.LIVING)
    row.move_out_date = None
    voided = {"voided_penalty_yen": charged_here(notice.penalty_yen, row.penalty_elsewhere_yen)}
    # The notice from before the takeover is gone; a new one is charged in full.
    row.penalty_elsewhere_yen = 0
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.NOTICE_WITHDRAWN, row, also=voided)
    with stored_without_overlap(work.session):
        drop_notice(work, reservation_id=row.id)
    reprice_rows(work, row.id)
    tend_turnovers(work.session, [row.unit_id])
    return notice


@dataclass(frozen=True, slots=True)
class FiledMoveOut:
    """What a filing, an edit or a recalculation wrote; `charged_yen` of the penalty is billed here."""

    notice: MoveOutNotice
    penalty: Penalty
    charged_yen: int
    repriced: tuple[RepricedRow, ...]

    @property
    def repriced_yen(self) -> int:
        """The change of issued rent by repricing; less is negative."""
        return sum(row.change_yen for row in self.repriced)


def new_notice(reservation_id: str) -> MoveOutNotice:
    """Return a new notice, not inserted yet; the forfeit is retired (specification, Deposit 6)."""
    return MoveOutNotice(
        id=new_id(), reservation_id=reservation_id, forfeit_yen=FORFEIT_YEN, version=0
    )


def notice_facts(row: Reservation, notice: MoveOutNotice) -> dict[str, Any]:
    """Return the audited facts of a notice and of its reservation."""
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
    work: Work, *, row: Reservation, notice: MoveOutNotice, plan: NoticePlan
) -> FiledMoveOut:
    """Store a filed or edited notice with its requested day, and set the move-out day.

    Any expected departure is cleared (specification, Availability).
    """
    set_figures(notice, plan, work.clock, work.actor)
    work.session.add(notice)
    try:
        work.session.flush()
    except IntegrityError as second:
        raise Refused("notice: another notice was filed at the same time.") from second
    work.session.add(_build_filing(notice, plan, work.clock, work.actor))
    row.move_out_date = plan.filed.move_out_on
    row.expected_departure_date = None
    mark_changed(row, work.clock, work.actor)
    with stored_without_overlap(work.session):
        work.session.flush()
    charged_yen = bill_penalty(work, notice, plan.penalty)
    repriced = reprice_rows(work, row.id)
    return FiledMoveOut(notice, plan.penalty, charged_yen, repriced)


def bill_penalty(work: Work, notice: MoveOutNotice, penalty: Penalty) -> int:
    """Adjust the notice's one charge to the penalty and return it (Move-out penalties 3).

    Payments stay on it, so that only what was paid above the penalty is an overpayment. For a
    notice from before a takeover only the excess over the penalty charged elsewhere is charged.
    """
    penalty_elsewhere_yen = (
        work.session.scalar(
            select(Reservation.penalty_elsewhere_yen).where(Reservation.id == notice.reservation_id)
        )
        or 0
    )
    lines = lines_beyond(penalty.lines, penalty_elsewhere_yen)
    is_short = penalty.basis is PenaltyKind.SHORT_NOTICE
    notice.penalty_entry_id = post_penalty(
        work,
        reservation_id=notice.reservation_id,
        notice_id=notice.id,
        item=TaxedItem.SHORT_NOTICE if is_short else TaxedItem.EARLY_EXIT,
        lines=lines,
    )
    work.session.flush()
    return sum(line.yen for line in lines)


def file_notice_given_before(work: Work, found: Departing, filed: FiledNotice) -> int:
    """Store the notice of a tenancy taken over; return the penalty charged elsewhere.

    Nothing is charged and no row is repriced: none was issued here yet.
    """
    row, plan = found.row, plan_of_notice_given_before(found, filed)
    notice = new_notice(row.id)
    set_figures(notice, plan, work.clock, work.actor)
    work.session.add(notice)
    work.session.flush()
    work.session.add(_build_filing(notice, plan, work.clock, work.actor))
    row.move_out_date, row.expected_departure_date = filed.move_out_on, None
    row.lifecycle = Lifecycle.NOTICE_FILED
    if filed.move_out_on < work.clock.today():
        row.lifecycle = Lifecycle.MOVED_OUT
    with stored_without_overlap(work.session):
        work.session.flush()
    return plan.penalty.yen


def set_figures(notice: MoveOutNotice, plan: NoticePlan, clock: Clock, actor: str) -> None:
    """Store the computed figures in the notice and increment its version."""
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


def _build_filing(
    notice: MoveOutNotice, plan: NoticePlan, clock: Clock, actor: str
) -> NoticeFiling:
    return NoticeFiling(
        id=new_id(),
        notice_id=notice.id,
        number=notice.version,
        filed_on=plan.asked_on,
        move_out_on=plan.filed.move_out_on,
        written_at=clock.now(),
        written_by=actor,
    )


def file_notice(
    work: Work,
    *,
    reservation_id: str,
    move_out_on: date,
    filed_at: datetime | None = None,
    expected_version: int | None = None,
) -> FiledMoveOut:
    """Store a notice (specification, Move-out penalties) and all its effects.

    The move-out day is set, the expected departure is cleared, the penalty becomes a payable
    charge, issued rent is repriced. `filed_at` is the instant staff give when they file on behalf
    of a resident; its day in Japan counts. Raises `Refused` for a day before the move-in or a night
    the unit is taken by another, for a second notice, for a guest, and for a reservation that
    nobody lives in: not begun, ended, cancelled, or left by an amendment.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    found = departing(work.session, row, work.clock.today())
    plan = plan_filing(work.session, work.clock, found, move_out_on, filed_at)
    notice = new_notice(row.id)
    before = notice_facts(row, notice)
    row.lifecycle = lifecycle_as_staff_say(row, work.clock.today())
    if row.lifecycle != Lifecycle.NOTICE_FILED:
        move_lifecycle(row, Lifecycle.NOTICE_FILED)
    filed = write_notice(work, row=row, notice=notice, plan=plan)
    after = notice_facts(row, notice) | {"repriced_yen": filed.repriced_yen or None}
    facts = {"before": before, "after": after}
    note_difference(work, AuditEvent.NOTICE_FILED, subject_of(row), **facts)
    tend_turnovers(work.session, [row.unit_id])
    return filed


def recompute_notice(work: Work, *, reservation_id: str) -> FiledMoveOut | None:
    """Update the penalty for the present effective term; return `None` without a notice.

    The requested days stay (specification, Contract dates; Move-out penalties), and rows are
    repriced by the override itself. Raises `Refused` when the move-out would be before the new
    start.
    """
    row = reservation_to_change(work.session, reservation_id)
    found = departing(work.session, row, work.clock.today())
    if found.notice is None:
        return None
    plan = plan_standing(work.session, work.clock, found)
    before = notice_facts(row, found.notice)
    set_figures(found.notice, plan, work.clock, work.actor)
    charged_yen = bill_penalty(work, found.notice, plan.penalty)
    after = notice_facts(row, found.notice)
    facts = {"before": before, "after": after}
    note_difference(work, AuditEvent.NOTICE_RECOMPUTED, subject_of(row), **facts)
    return FiledMoveOut(found.notice, plan.penalty, charged_yen, ())


def reschedule_move_out(
    work: Work,
    *,
    reservation_id: str,
    move_out_on: date,
    filed_at: datetime | None = None,
    version: int | None = None,
) -> FiledMoveOut:
    """Set another move-out day (specification, Move-out penalties 8) and update the penalty.

    `version` is the notice's as the caller read it: `Collision` when it was edited since. Raises
    `Refused` without a notice, for the same day, a day before the move-in, a night the unit is
    taken by another, a filing before the last one, and once the deposit is settled.
    """
    row = reservation_to_change(work.session, reservation_id)
    found = departing(work.session, row, work.clock.today())
    if found.notice is None:
        raise Refused("notice: no notice has been given. File one first.")
    refuse_stale(work.session, found.notice, version)
    before = notice_facts(row, found.notice)
    plan = plan_edit(work.session, work.clock, found, move_out_on, filed_at)
    edited = write_notice(work, row=row, notice=found.notice, plan=plan)
    after = notice_facts(row, found.notice) | {"repriced_yen": edited.repriced_yen or None}
    facts = {"before": before, "after": after}
    note_difference(work, AuditEvent.NOTICE_RESCHEDULED, subject_of(row), **facts)
    tend_turnovers(work.session, [row.unit_id])
    return edited


def shown_figures(preview: NoticePreview) -> str:
    """Return a page's hidden text of the days, the penalty, the last rent and the deposit.

    Another filing day, another version of the notice or another amount gives another text.
    """
    rent, deposit = preview.last_rent, preview.deposit
    figures = (
        preview.filed_on,
        preview.move_out_on,
        preview.penalty.yen,
        rent.total_yen if rent else "-",
        deposit.held_yen,
        deposit.remainder_yen,
        deposit.owed_yen,
        preview.notice_version or "-",
    )
    return " ".join(map(str, figures))


def refuse_unseen(preview: NoticePreview, seen: str | None) -> None:
    """Raise `Collision` when the figures differ from those the page showed."""
    if seen != shown_figures(preview):
        raise Collision(
            "figures: the amounts have changed since you saw them. Here are the new ones; "
            "nothing has been filed yet."
        )
