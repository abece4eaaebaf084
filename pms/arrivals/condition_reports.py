"""Condition reports of a unit at move-in: the report, its rooms and its photos."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pms.arrivals.models import ConditionPhoto, ConditionReport, ConditionRoom
from pms.catalogue.checks import LONGEST_TEXT, check_text
from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, find_row, locked
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import readable
from pms.rules.enumerations import CheckedRoom, ConditionState, Lifecycle, ReservationKind
from pms.rules.resident_reports import ConditionWindow, condition_window

_OVER = (Lifecycle.CANCELLED, Lifecycle.TRANSFERRED)


def window_of(row: Reservation) -> ConditionWindow | None:
    """Return when this resident may report; None for a guest and for one who never moved in."""
    if row.kind != ReservationKind.RESIDENT or row.lifecycle in _OVER:
        return None
    return condition_window(readable(row.arrival_date), row.starts_on)


def lock_report(session: Session, clock: Clock, reservation_id: str) -> ConditionReport:
    """Lock the reservation and return its report, which is created if there is none.

    Raises `NotFound` for an unknown reservation, and `Refused` for a report that was sent and for a
    day outside its window.
    """
    row = locked(session, Reservation, reservation_id)
    found = session.scalar(
        select(ConditionReport)
        .where(ConditionReport.reservation_id == row.id)
        .execution_options(populate_existing=True)
    )
    if found is not None and found.sent_at is not None:
        raise Refused("report: the report was already sent and can no longer be changed.")
    window = window_of(row)
    if window is None:
        raise Refused("report: this reservation has no move-in check.")
    if not window.is_open(clock.today()):
        raise Refused(
            "report: the report can be sent from {opens_on} through {closes_on}. Today is {today}.",
            opens_on=window.opens_on,
            closes_on=window.closes_on,
            today=clock.today(),
        )
    if found is None:
        found = ConditionReport(id=new_id(), reservation_id=row.id, started_at=clock.now())
        session.add(found)
        session.flush()
    return found


def remove_condition_photo(
    session: Session, clock: Clock, *, reservation_id: str, photo_id: str
) -> None:
    """Delete a photo of the report; an id of no photo of this report changes nothing."""
    report = lock_report(session, clock, reservation_id)
    if is_id(photo_id):
        session.execute(
            delete(ConditionPhoto).where(
                ConditionPhoto.id == photo_id, ConditionPhoto.report_id == report.id
            )
        )


def send_condition_report(work: Work, *, reservation_id: str, remark: str | None = None) -> str:
    """Send the saved rooms as the report and return the report's id.

    Raises `Refused` for a report without any room, for one that was sent, and outside its window.
    """
    report = lock_report(work.session, work.clock, reservation_id)
    rooms = work.session.scalar(select(func.count()).where(ConditionRoom.report_id == report.id))
    if not rooms:
        raise Refused("rooms: describe the condition of at least one room.")
    photos = work.session.scalar(select(func.count()).where(ConditionPhoto.report_id == report.id))
    report.remark = check_text("remark", remark, LONGEST_TEXT)
    report.sent_at = work.clock.now()
    facts = {"rooms": rooms, "photos": photos or 0}
    subject = of_reservation(reservation_id)
    note_audit_event(work, AuditEvent.CONDITION_REPORT_SENT, subject, after=facts)
    work.session.flush()
    return report.id


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
    """Save the state and note of a room, replacing the earlier ones, and add photos to it.

    A photo that is there already is not stored twice. No audit event is noted before the report is
    sent. Raises `Refused` once it is sent, outside its window, and for more photos than a report
    may have.
    """
    report = lock_report(session, clock, reservation_id)
    row = session.scalar(
        select(ConditionRoom).where(
            ConditionRoom.report_id == report.id, ConditionRoom.room == room
        )
    )
    if row is None:
        row = ConditionRoom(id=new_id(), report_id=report.id, room=room.value)
        session.add(row)
    row.state, row.note = state, check_text("note", note, LONGEST_TEXT)
    known = session.scalars(
        select(ConditionPhoto.files).where(
            ConditionPhoto.report_id == report.id, ConditionPhoto.room == room
        )
    ).all()
    new = [sized for sized in photos if dict(sized.files) not in list(known)]
    taken = select(func.count()).where(ConditionPhoto.report_id == report.id)
    if (session.scalar(taken) or 0) + len(new) > MOST_PHOTOS:
        raise Refused("photo: a report can have up to {most} photos.", most=MOST_PHOTOS)
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
    session.flush()


class RoomPhoto(NamedTuple):
    """A photo as a page shows it."""

    id: str
    width: int
    height: int


class RoomFound(NamedTuple):
    """One room or part of the unit; without a state nothing is recorded of it yet."""

    room: CheckedRoom
    state: ConditionState | None = None
    note: str | None = None
    photos: Sequence[RoomPhoto] = ()


class ConditionRecord(NamedTuple):
    """The report of one reservation; without an id it has not been begun."""

    id: str | None
    reservation_id: str
    window: ConditionWindow | None
    rooms: Sequence[RoomFound]
    remark: str | None = None
    sent_at: datetime | None = None
    seen_at: datetime | None = None
    seen_by: str | None = None

    @property
    def recorded_rooms(self) -> Sequence[RoomFound]:
        """The rooms whose state is recorded."""
        return [room for room in self.rooms if room.state is not None]

    def room(self, name: str) -> RoomFound:
        """Return one room; raise `NotFound` for an unknown name."""
        for found in self.rooms:
            if found.room == name:
                return found
        raise no_such("room", name)


def condition_of_reservation(session: Session, reservation_id: str) -> ConditionRecord:
    """Return the report of a reservation, begun or not, with its window."""
    row = find_row(session, Reservation, reservation_id)
    report = session.scalar(select(ConditionReport).where(ConditionReport.reservation_id == row.id))
    if report is None:
        empty = [RoomFound(room) for room in CheckedRoom]
        return ConditionRecord(None, row.id, window_of(row), empty)
    return _read_record(session, row, report)


def sent_condition(session: Session, report_id: str) -> ConditionRecord:
    """Return a report that was sent; raise `NotFound` for any other id."""
    report = None
    if is_id(report_id):
        report = session.scalar(
            select(ConditionReport).where(
                ConditionReport.id == report_id, ConditionReport.sent_at.is_not(None)
            )
        )
    if report is None:
        raise no_such("condition report", report_id)
    row = session.scalars(select(Reservation).where(Reservation.id == report.reservation_id)).one()
    return _read_record(session, row, report)


def condition_photo_file(
    session: Session,
    photo_id: str,
    width: int,
    *,
    reservation_id: str | None = None,
    report_id: str | None = None,
) -> str:
    """Return the key of a photo's file: of a resident's own report, or of a sent one."""
    question = select(ConditionPhoto.files).join(
        ConditionReport, refers_to(ConditionPhoto.report_id, ConditionReport)
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
        raise no_such("photo", photo_id)
    return key


def _read_record(session: Session, row: Reservation, report: ConditionReport) -> ConditionRecord:
    of_it = ConditionRoom.report_id == report.id
    facts = {room.room: room for room in session.scalars(select(ConditionRoom).where(of_it))}
    report_id = report.id
    photos: dict[str, list[RoomPhoto]] = defaultdict(list)
    rows = session.execute(
        select(ConditionPhoto.room, ConditionPhoto.id, ConditionPhoto.width, ConditionPhoto.height)
        .where(ConditionPhoto.report_id == report_id)
        .order_by(ConditionPhoto.added_at, ConditionPhoto.id)
    )
    for room, *photo in rows:
        photos[room].append(RoomPhoto._make(photo))
    rooms = [
        RoomFound(
            room,
            ConditionState(facts[room].state) if room in facts else None,
            facts[room].note if room in facts else None,
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
