"""Marks a report of a unit's condition as read by the office."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.models import ConditionReport
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed


def see_condition_report(session: Session, clock: Clock, actor: str, *, report_id: str) -> None:
    """Note who read a sent report first, and when; a second reading changes nothing."""
    row = None
    if is_id(report_id):
        row = session.scalar(
            select(ConditionReport)
            .where(ConditionReport.id == report_id, ConditionReport.sent_at.is_not(None))
            .with_for_update()
            .execution_options(populate_existing=True)
        )
    if row is None:
        raise NotFound("There is no condition report '{report_id}'.", report_id=report_id[:60])
    if row.seen_at is not None:
        return
    row.seen_at, row.seen_by = clock.now(), actor
    subject = of_reservation(row.reservation_id)
    note_deed(session, clock, actor, Deed.CONDITION_REPORT_SEEN, subject)
    session.flush()
