"""Sends the report of a unit's condition to the office; from then on it is only read."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.arrivals.condition_in_hand import report_in_hand
from pms.arrivals.models import ConditionPhoto, ConditionRoom
from pms.catalogue.checked_texts import LONGEST_TEXT, checked_text
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed


def send_condition_report(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    remark: str | None = None,
) -> str:
    """Send what was kept of the rooms and return the report's id.

    Raises `Refused` for a report without any room, for one that was sent and outside its window.
    """
    report = report_in_hand(session, clock, reservation_id)
    rooms = session.scalar(select(func.count()).where(ConditionRoom.report_id == report.id))
    if not rooms:
        raise Refused("rooms: say of at least one room how you found it.")
    photos = session.scalar(select(func.count()).where(ConditionPhoto.report_id == report.id))
    report.remark = checked_text("remark", remark, LONGEST_TEXT)
    report.sent_at = clock.now()
    told = {"rooms": rooms, "photos": photos or 0}
    subject = of_reservation(reservation_id)
    note_deed(session, clock, actor, Deed.CONDITION_REPORT_SENT, subject, after=told)
    session.flush()
    return report.id
