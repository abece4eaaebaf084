"""Keeps what a resident found in one part of the unit, before the report is sent."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.arrivals.condition_in_hand import report_in_hand
from pms.arrivals.models import ConditionPhoto, ConditionReport, ConditionRoom
from pms.catalogue.checked_texts import LONGEST_TEXT, checked_text
from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.rules.enumerations import CheckedRoom, ConditionState

MOST_PHOTOS = 60


def save_condition_room(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    room: CheckedRoom,
    state: ConditionState,
    note: str | None = None,
    photos: Sequence[SizedPhoto] = (),
) -> None:
    """Keep the state, the note and further pictures of a room; what stood there is replaced.

    A picture that is there already is not kept twice, however often it is sent. Nothing is
    anybody's deed before the report is sent. Raises `Refused` once it is sent, outside its
    window, and for more pictures than a report holds.
    """
    report = report_in_hand(session, clock, reservation_id)
    row = session.scalar(
        select(ConditionRoom).where(
            ConditionRoom.report_id == report.id, ConditionRoom.room == room
        )
    )
    if row is None:
        row = ConditionRoom(id=new_id(), report_id=report.id, room=room.value)
        session.add(row)
    row.state, row.note = state, checked_text("note", note, LONGEST_TEXT)
    _add_photos(session, clock, report, room, photos)
    session.flush()


def _add_photos(
    session: Session,
    clock: Clock,
    report: ConditionReport,
    room: CheckedRoom,
    photos: Sequence[SizedPhoto],
) -> None:
    known = session.scalars(
        select(ConditionPhoto.files).where(
            ConditionPhoto.report_id == report.id, ConditionPhoto.room == room
        )
    ).all()
    new = [sized for sized in photos if dict(sized.files) not in list(known)]
    taken = select(func.count()).where(ConditionPhoto.report_id == report.id)
    if (session.scalar(taken) or 0) + len(new) > MOST_PHOTOS:
        raise Refused("photo: a report holds at most {most} pictures.", most=MOST_PHOTOS)
    session.add_all(
        ConditionPhoto(
            id=new_id(),
            report_id=report.id,
            room=room.value,
            width=sized.width,
            height=sized.height,
            files=dict(sized.files),
            added_at=clock.now(),
        )
        for sized in new
    )
