"""Works out a notice before anything is written: the preview and every deed share it."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy.orm import Session

from pms.departures.departing import Departing
from pms.departures.notice_refusals import (
    asked_day,
    refuse_day,
    refuse_edit,
    refuse_filing,
    refuse_order,
)
from pms.departures.queries import filings_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.reservations.unit_conflicts import refuse_conflict
from pms.reservations.unit_stays import stay_of
from pms.rules.enumerations import ReservationKind
from pms.rules.notice_edits import FiledNotice, edited_notice
from pms.rules.penalties import Penalty, penalty_of


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
    refuse_filing(found, clock.today())
    asked_on = asked_day(filed_at, clock)
    return _planned(session, clock, found, asked_on, FiledNotice(asked_on, move_out_on))


def plan_edit(
    session: Session, clock: Clock, found: Departing, move_out_on: date, filed_at: datetime | None
) -> NoticePlan:
    """Return the notice in force after an edit of its day (Move-out penalties 8)."""
    notice = found.notice
    if notice is None:
        raise Refused("notice: no move-out notice is filed; file one first.")
    asked_on = asked_day(filed_at, clock)
    refuse_edit(found, notice, today=clock.today(), move_out_on=move_out_on)
    refuse_order(asked_on, filings_of(session, notice.id)[-1].filed_on)
    before = FiledNotice(notice.filed_on, notice.move_out_on)
    return _planned(session, clock, found, asked_on, edited_notice(before, asked_on, move_out_on))


def plan_standing(session: Session, clock: Clock, found: Departing) -> NoticePlan:
    """Return the notice in force as it stands, its penalty worked out anew."""
    notice = found.notice
    if notice is None:
        raise Refused("notice: no move-out notice is filed.")
    filed = FiledNotice(notice.filed_on, notice.move_out_on)
    return _planned(session, clock, found, notice.filed_on, filed)


def told_notice(found: Departing, filed: FiledNotice) -> NoticePlan:
    """Return a notice that came along with a tenancy taken over, with what it cost elsewhere."""
    refuse_day(found, filed.move_out_on)
    return NoticePlan(filed.filed_on, filed, planned_penalty(found, filed))


def planned_penalty(found: Departing, filed: FiledNotice) -> Penalty:
    """Return what a notice costs (Move-out penalties); `Refused` without a price."""
    if found.price is None and found.row.kind == ReservationKind.RESIDENT:
        raise Refused("notice: the reservation has no price; set one before a notice is filed.")
    periods = found.price.periods if found.price else ()
    return penalty_of(found.departure(filed), periods, found.policy)


def _planned(
    session: Session, clock: Clock, found: Departing, asked_on: date, filed: FiledNotice
) -> NoticePlan:
    refuse_day(found, filed.move_out_on)
    stay = stay_of(found.row)._replace(move_out_on=filed.move_out_on)
    refuse_conflict(session, stay, found.row.unit_id, clock.today())
    return NoticePlan(asked_on, filed, planned_penalty(found, filed))
