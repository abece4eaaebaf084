"""Works out a notice before anything is written: the preview and every deed share it."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy.orm import Session

from pms.departures.departing import Departing
from pms.departures.queries import filings_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.reservations.changing import lifecycle_now
from pms.reservations.unit_conflicts import refuse_conflict
from pms.reservations.unit_stays import stay_of
from pms.rules.days import FIRST_DAY, LAST_DAY, day_of
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.notice_edits import FiledNotice, edited_notice, refusal_of_notice
from pms.rules.penalties import Penalty, penalty_of
from pms.rules.status_changes import lifecycle_after


@dataclass(frozen=True, slots=True)
class NoticePlan:
    """A notice as it will stand, the day it was asked for, and what it costs."""

    asked_on: date
    filed: FiledNotice
    penalty: Penalty


def plan_filing(
    session: Session, clock: Clock, found: Departing, move_out_on: date, filed_at: datetime | None
) -> NoticePlan:
    """Return a first notice; raise `Refused` where none can be filed."""
    _refuse_filing(found, clock.today())
    asked_on = asked_day(filed_at, clock)
    return _planned(session, clock, found, asked_on, FiledNotice(asked_on, move_out_on))


def plan_edit(
    session: Session, clock: Clock, found: Departing, move_out_on: date, filed_at: datetime | None
) -> NoticePlan:
    """Return the notice in force after an edit of its day (Move-out penalties 8)."""
    notice = found.notice
    if notice is None:
        raise Refused("notice: no move-out notice is filed; file one first.")
    if found.row.lifecycle not in {Lifecycle.NOTICE_FILED, Lifecycle.MOVED_OUT}:
        raise Refused(
            "notice: the move-out day is edited until the deposit is settled;"
            f" the reservation is {found.row.lifecycle}."
        )
    asked_on = asked_day(filed_at, clock)
    last_on = filings_of(session, notice.id)[-1].filed_on
    _refuse_edit(found, clock.today(), asked_on, last_on, move_out_on)
    before = FiledNotice(notice.filed_on, notice.move_out_on)
    return _planned(session, clock, found, asked_on, edited_notice(before, asked_on, move_out_on))


def plan_standing(session: Session, clock: Clock, found: Departing) -> NoticePlan:
    """Return the notice in force as it stands, its penalty worked out anew."""
    notice = found.notice
    if notice is None:
        raise Refused("notice: no move-out notice is filed.")
    filed = FiledNotice(notice.filed_on, notice.move_out_on)
    return _planned(session, clock, found, notice.filed_on, filed)


def planned_penalty(found: Departing, filed: FiledNotice) -> Penalty:
    """Return what a notice costs (Move-out penalties); `Refused` without a price."""
    if found.price is None and found.row.kind == ReservationKind.RESIDENT:
        raise Refused("notice: the reservation has no price; set one before a notice is filed.")
    periods = found.price.periods if found.price else ()
    return penalty_of(found.departure(filed), periods, found.policy)


def asked_day(filed_at: datetime | None, clock: Clock) -> date:
    """Return the day in Japan of the instant given, or today; staff may name an earlier one."""
    if filed_at is None:
        return clock.today()
    if filed_at.tzinfo is None or filed_at > clock.now():
        raise Refused(
            f"filedAt: {filed_at.isoformat()} is refused; an instant with its offset, not later"
            " than now."
        )
    return day_of(filed_at)


def _planned(
    session: Session, clock: Clock, found: Departing, asked_on: date, filed: FiledNotice
) -> NoticePlan:
    if not FIRST_DAY <= filed.move_out_on <= LAST_DAY:
        raise Refused(f"moveOutDate: {filed.move_out_on} is refused; {FIRST_DAY} to {LAST_DAY}.")
    if refusal_of_notice(found.tenancy.term, filed.move_out_on) is not None:
        raise Refused(
            f"moveOutDate: {filed.move_out_on} is before the move-in on"
            f" {found.tenancy.term.start_on}; that day or a later one."
        )
    stay = stay_of(found.row)._replace(move_out_on=filed.move_out_on)
    refuse_conflict(session, stay, found.row.unit_id, clock.today())
    return NoticePlan(asked_on, filed, planned_penalty(found, filed))


def _refuse_filing(found: Departing, today: date) -> None:
    if found.notice is not None:
        raise Refused(
            f"notice: a notice for {found.notice.move_out_on} is filed already;"
            " reschedule or withdraw it."
        )
    if found.row.kind == ReservationKind.GUEST:
        raise Refused("notice: a guest has no move-out notice and leaves on the check-out day.")
    state = lifecycle_now(found.row, today)
    if state in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        raise Refused(
            f"notice: nobody lives there before {found.tenancy.term.start_on};"
            " cancel the booking instead."
        )
    kind = ReservationKind(found.row.kind)
    if lifecycle_after(state, Lifecycle.NOTICE_FILED, kind) is not Lifecycle.NOTICE_FILED:
        raise Refused(f"notice: the reservation is {state}; only who lives there gives notice.")


def _refuse_edit(
    found: Departing, today: date, asked_on: date, last_on: date, move_out_on: date
) -> None:
    notice = found.notice
    assert notice is not None
    if move_out_on == notice.move_out_on:
        raise Refused(f"moveOutDate: the move-out day is {move_out_on} already.")
    if asked_on < last_on:
        raise Refused(f"filedAt: {asked_on} is before the last filing; {last_on} or later.")
    if found.row.lifecycle == Lifecycle.MOVED_OUT and move_out_on > today:
        raise Refused(
            f"moveOutDate: {move_out_on} is refused, for the resident has moved out;"
            f" a day up to today, {today}."
        )
