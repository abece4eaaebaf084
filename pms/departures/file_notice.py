"""Files a move-out notice: the day, what it costs, and the rent it shortens."""

from datetime import date, datetime

from sqlalchemy.orm import Session

from pms.departures.departing import departing
from pms.departures.filed_notice import FiledMoveOut, new_notice, notice_facts, write_notice
from pms.departures.notice_plan import plan_filing
from pms.foundation.audit import note_difference, subject_of
from pms.foundation.clock import Clock
from pms.reservations.changing import lifecycle_now, move_lifecycle, reservation_to_change
from pms.rules.deeds import Deed
from pms.rules.enumerations import Lifecycle


def file_notice(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    move_out_on: date,
    filed_at: datetime | None = None,
    expected_version: int | None = None,
) -> FiledMoveOut:
    """Write a notice (specification, Move-out penalties) and all that follows from it.

    The move-out day is set, the expected departure clears itself, the penalty becomes a payable
    charge, issued rent is repriced. `filed_at` is the instant staff name when they file on
    behalf; its day in Japan counts. Raises `Refused` for a day before the move-in or a night the
    unit is held by another, for a second notice, for a guest, and for a reservation that nobody
    lives in: not begun, ended, cancelled, or left by an amendment.
    """
    row = reservation_to_change(session, reservation_id, expected_version)
    found = departing(session, row, clock.today())
    plan = plan_filing(session, clock, found, move_out_on, filed_at)
    notice = new_notice(row.id)
    before = notice_facts(row, notice)
    row.lifecycle = lifecycle_now(row, clock.today())
    if row.lifecycle != Lifecycle.NOTICE_FILED:
        move_lifecycle(row, Lifecycle.NOTICE_FILED)
    filed = write_notice(session, clock, actor, row=row, notice=notice, plan=plan)
    after = notice_facts(row, notice) | {"repriced_yen": filed.repriced_yen or None}
    facts = {"before": before, "after": after}
    note_difference(session, clock, actor, Deed.NOTICE_FILED, subject_of(row), **facts)
    return filed
