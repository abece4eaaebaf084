"""Takes a picture out of a report that is not sent yet."""

from sqlalchemy import delete
from sqlalchemy.orm import Session

from pms.arrivals.condition_in_hand import report_in_hand
from pms.arrivals.models import ConditionPhoto
from pms.foundation.clock import Clock
from pms.foundation.ids import is_id


def remove_condition_photo(
    session: Session, clock: Clock, *, reservation_id: str, photo_id: str
) -> None:
    """Forget a picture; one that is gone already, or another's, changes nothing."""
    report = report_in_hand(session, clock, reservation_id)
    if is_id(photo_id):
        session.execute(
            delete(ConditionPhoto).where(
                ConditionPhoto.id == photo_id, ConditionPhoto.report_id == report.id
            )
        )
