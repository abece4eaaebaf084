"""What residents of the demo found on arrival: reports sent and read, one still being written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member
from pms.arrivals.condition_in_hand import window_of
from pms.arrivals.save_condition_room import save_condition_room
from pms.arrivals.see_condition_report import see_condition_report
from pms.arrivals.send_condition_report import send_condition_report
from pms.demo.photographs import Album
from pms.demo.rows import instant
from pms.foundation.clock import FixedClock
from pms.reservations.models import Reservation
from pms.rules.enumerations import (
    CheckedRoom,
    ConditionState,
    Lifecycle,
    ReservationKind,
    StaffRole,
)

# Days from today on which they arrived; of the silent ones nothing came.
_ARRIVED: Final = (-3, -2, -6, -12, -20, -25, -1)
_SILENT: Final = (-2, -12)


class _Found(NamedTuple):
    """One room as a resident found it; `scene` is the picture that they took of it."""

    room: CheckedRoom
    state: ConditionState = ConditionState.IN_ORDER
    ja: str | None = None
    en: str | None = None
    scene: str | None = None


_ROOMS: Final = (
    _Found(CheckedRoom.ENTRANCE),
    _Found(
        CheckedRoom.BEDROOM,
        ConditionState.MARKED,
        "窓側の床に3cmほどの擦り傷が2か所あります。",
        "Two scratches of about 3 cm on the floor by the window.",
        "room-loft",
    ),
    _Found(
        CheckedRoom.KITCHEN,
        ConditionState.BROKEN,
        "換気扇の照明がつきません。",
        "The light of the extractor hood does not come on.",
        "kitchen",
    ),
    _Found(
        CheckedRoom.BATH,
        ConditionState.MARKED,
        "鏡の下の縁に黒ずみがあります。",
        "Dark spots along the lower edge of the mirror.",
        "bathroom",
    ),
    _Found(CheckedRoom.TOILET),
)
_REMARK: Final = {
    "ja": "全体にきれいに清掃されていました。ありがとうございます。",
    "en": "Otherwise everything was clean. Thank you.",
}


def keep_condition_reports(session: Session, now: datetime, album: Album) -> None:
    """Have those who came last arrive in the past weeks: most report, one is at it, one did not."""
    today = FixedClock(now).today()
    for row, days in zip(_newest(session, today), _ARRIVED, strict=False):
        row.arrival_date = today + timedelta(days=days)
        session.flush()
        if days not in _SILENT:
            _report(session, now, row, album)


def _newest(session: Session, today: date) -> Sequence[Reservation]:
    """Those who live here since the least time, but moved in before any of these arrivals."""
    return session.scalars(
        select(Reservation)
        .where(
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle == Lifecycle.LIVING,
            Reservation.email.is_not(None),
            Reservation.starts_on <= today + timedelta(days=min(_ARRIVED)),
        )
        .order_by(Reservation.starts_on.desc(), Reservation.id)
        .limit(len(_ARRIVED))
    ).all()


def _report(session: Session, now: datetime, row: Reservation, album: Album) -> None:
    """Tell the rooms on the evening after the arrival; whose day is today is still writing."""
    window = window_of(row)
    if window is None:
        return
    today = FixedClock(now).today()
    is_writing = window.arrival_on == today - timedelta(days=1)
    at = min(now, instant(window.arrival_on + timedelta(days=1), 19))
    _tell(session, FixedClock(at), row, _ROOMS[: 2 if is_writing else None], album)
    if is_writing:
        return
    facts = {"reservation_id": row.id, "remark": _REMARK[_language(row)]}
    report_id = send_condition_report(session, FixedClock(at), f"reservation/{row.id}", **facts)
    if not window.is_open(today):
        read = FixedClock(min(now, at + timedelta(days=1)))
        see_condition_report(session, read, _office(session), report_id=report_id)


def _tell(
    session: Session,
    clock: FixedClock,
    row: Reservation,
    rooms: Sequence[_Found],
    album: Album,
) -> None:
    for found in rooms:
        save_condition_room(
            session,
            clock,
            reservation_id=row.id,
            room=found.room,
            state=found.state,
            note=found.ja if _language(row) == "ja" else found.en,
            photos=[album[found.scene]] if found.scene and found.scene in album else [],
        )


def _language(row: Reservation) -> str:
    return "en" if row.locale == "en" else "ja"


def _office(session: Session) -> str:
    office = select(Member.person_id).where(Member.role == StaffRole.OFFICE).order_by(Member.id)
    return f"person/{session.scalars(office.limit(1)).first() or 'demo'}"
