"""A report of a unit's condition as it stands: its rooms in their order, with their pictures."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.condition_in_hand import window_of
from pms.arrivals.models import ConditionPhoto, ConditionReport, ConditionRoom
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation
from pms.rules.condition_window import ConditionWindow
from pms.rules.enumerations import CheckedRoom, ConditionState


class RoomPhoto(NamedTuple):
    """A picture as a page shows it."""

    id: str
    width: int
    height: int


class RoomFound(NamedTuple):
    """One part of the unit; without a state nothing was said of it yet."""

    room: CheckedRoom
    state: ConditionState | None = None
    note: str | None = None
    photos: Sequence[RoomPhoto] = ()


class ConditionRecord(NamedTuple):
    """The report of one reservation; without an id nobody began it."""

    id: str | None
    reservation_id: str
    window: ConditionWindow | None
    rooms: Sequence[RoomFound]
    remark: str | None = None
    sent_at: datetime | None = None
    seen_at: datetime | None = None
    seen_by: str | None = None

    @property
    def told(self) -> Sequence[RoomFound]:
        """The rooms of which something was said."""
        return [room for room in self.rooms if room.state is not None]

    def room(self, name: str) -> RoomFound:
        """Return one room; raise `NotFound` for a word that names none."""
        for found in self.rooms:
            if found.room == name:
                return found
        raise NotFound("There is no room '{name}'.", name=name[:60])


def condition_of_reservation(session: Session, reservation_id: str) -> ConditionRecord:
    """Return the report of a reservation, begun or not, with its window."""
    row = None
    if is_id(reservation_id):
        row = session.scalar(select(Reservation).where(Reservation.id == reservation_id))
    if row is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    report = session.scalar(select(ConditionReport).where(ConditionReport.reservation_id == row.id))
    if report is None:
        empty = [RoomFound(room) for room in CheckedRoom]
        return ConditionRecord(None, row.id, window_of(row), empty)
    return _record(session, row, report)


def sent_condition(session: Session, report_id: str) -> ConditionRecord:
    """Return a report that was sent; `NotFound` for any other."""
    report = None
    if is_id(report_id):
        report = session.scalar(
            select(ConditionReport).where(
                ConditionReport.id == report_id, ConditionReport.sent_at.is_not(None)
            )
        )
    if report is None:
        raise NotFound("There is no condition report '{report_id}'.", report_id=report_id[:60])
    row = session.scalars(select(Reservation).where(Reservation.id == report.reservation_id)).one()
    return _record(session, row, report)


def condition_photo_file(
    session: Session,
    photo_id: str,
    width: int,
    *,
    reservation_id: str | None = None,
    report_id: str | None = None,
) -> str:
    """Return the key of a picture's file: of a resident's own report, or of one that was sent."""
    question = select(ConditionPhoto.files).join(
        ConditionReport,
        (ConditionReport.workspace_id == ConditionPhoto.workspace_id)
        & (ConditionReport.id == ConditionPhoto.report_id),
    )
    if reservation_id is not None:
        question = question.where(ConditionReport.reservation_id == reservation_id)
    else:
        question = question.where(
            ConditionReport.id == report_id, ConditionReport.sent_at.is_not(None)
        )
    files = None
    if is_id(photo_id):
        files = session.scalar(question.where(ConditionPhoto.id == photo_id))
    key = files.get(str(width)) if files else None
    if key is None:
        raise NotFound("There is no picture '{photo_id}'.", photo_id=photo_id[:60])
    return key


def _record(session: Session, row: Reservation, report: ConditionReport) -> ConditionRecord:
    of_it = ConditionRoom.report_id == report.id
    told = {one.room: one for one in session.scalars(select(ConditionRoom).where(of_it))}
    photos = _photos(session, report.id)
    rooms = [
        RoomFound(
            room,
            ConditionState(told[room].state) if room in told else None,
            told[room].note if room in told else None,
            photos.get(room, ()),
        )
        for room in CheckedRoom
    ]
    return ConditionRecord(
        report.id,
        row.id,
        window_of(row),
        rooms,
        report.remark,
        report.sent_at,
        report.seen_at,
        report.seen_by,
    )


def _photos(session: Session, report_id: str) -> Mapping[str, Sequence[RoomPhoto]]:
    found: dict[str, list[RoomPhoto]] = defaultdict(list)
    rows = session.execute(
        select(ConditionPhoto.room, ConditionPhoto.id, ConditionPhoto.width, ConditionPhoto.height)
        .where(ConditionPhoto.report_id == report_id)
        .order_by(ConditionPhoto.added_at, ConditionPhoto.id)
    )
    for room, *photo in rows:
        found[room].append(RoomPhoto._make(photo))
    return found
