"""Edits the move-out day of a filed notice: later keeps the filing day, earlier files anew."""

from datetime import date, datetime

from sqlalchemy.orm import Session

from pms.departures.departing import departing
from pms.departures.filed_notice import FiledMoveOut, notice_facts, write_notice
from pms.departures.notice_plan import plan_edit
from pms.departures.seen_version import refuse_stale
from pms.foundation.audit import note_difference, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.reservations.changing import reservation_to_change
from pms.rules.deeds import Deed


def reschedule_move_out(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    move_out_on: date,
    filed_at: datetime | None = None,
    version: int | None = None,
) -> FiledMoveOut:
    """Set another move-out day (specification, Move-out penalties 8); the penalty follows.

    `version` is the notice's as it was seen: `Collision` when someone edited it meanwhile.
    Raises `Refused` without a notice, for the same day, a day before the move-in, a night the
    unit is held by another, a filing before the last one, and once the deposit is settled.
    """
    row = reservation_to_change(session, reservation_id)
    found = departing(session, row, clock.today())
    if found.notice is None:
        raise Refused("notice: no move-out notice is filed; file one first.")
    refuse_stale(session, found.notice, version)
    before = notice_facts(row, found.notice)
    plan = plan_edit(session, clock, found, move_out_on, filed_at)
    edited = write_notice(session, clock, actor, row=row, notice=found.notice, plan=plan)
    after = notice_facts(row, found.notice) | {"repriced_yen": edited.repriced_yen or None}
    facts = {"before": before, "after": after}
    note_difference(session, clock, actor, Deed.NOTICE_RESCHEDULED, subject_of(row), **facts)
    return edited
