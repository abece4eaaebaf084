"""The arrivals of the demo: condition reports of residents, and check-ins of guests."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from PIL import Image, ImageDraw
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from pms.access.models import Member
from pms.arrivals.condition_report_lists import see_condition_report
from pms.arrivals.condition_reports import (
    condition_of_reservation,
    save_condition_room,
    send_condition_report,
    window_of,
)
from pms.arrivals.inspections import add_inspection_photo, note_damage, record_inspected_room
from pms.arrivals.models import KeyHandover
from pms.demo.rows import Album, instant, read_toml
from pms.deposits.settlement_papers import mark_paper_sent, object_to_paper, paper_of
from pms.deposits.settlement_records import unsent_refunds
from pms.foundation.clock import FixedClock
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.enumerations import (
    CheckedRoom,
    ConditionState,
    Lifecycle,
    RegisterField,
    ReservationKind,
    RoomVerdict,
    StaffRole,
)
from pms.rules.links import GuestRegisterEntry
from pms.rules.wear import WornItem
from pms.stays.check_in_links import link_stay
from pms.stays.guests import plan_arrival, register_guest, send_passport
from pms.stays.stays import set_stay_terms

# Days from today on which they arrived; of the silent ones nothing came.
_ARRIVED: Final = (-3, -2, -6, -12, -20, -25, -1)
_SILENT: Final = (-2, -12)
# Whose keys nobody has recorded yet.
_UNRECORDED: Final = -1


class _Found(NamedTuple):
    """One room as a resident found it; `scene` is the picture that they took of it."""

    room: CheckedRoom
    state: ConditionState = ConditionState.IN_ORDER
    ja: str | None = None
    en: str | None = None
    scene: str | None = None


def _parse_found(row: dict[str, Any]) -> _Found:
    state = ConditionState(row.get("state", ConditionState.IN_ORDER))
    return _Found(**row | {"room": CheckedRoom(row["room"]), "state": state})


_ARRIVALS: Final = read_toml("arrivals")
_ROOMS: Final = tuple(map(_parse_found, _ARRIVALS["room"]))


def keep_condition_reports(session: Session, now: datetime, album: Album) -> None:
    """Have those who came last arrive in the past weeks: most report, one is at it, one did not."""
    today = FixedClock(now).today()
    # Those who live here since the least time, but moved in before any of these arrivals.
    newest_residents = session.scalars(
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
    for row, days in zip(newest_residents, _ARRIVED, strict=False):
        row.arrival_date = came_on = today + timedelta(days=days)
        session.flush()
        # Have the keys handed over on the day of arrival, or not recorded at all.
        is_recorded = days != _UNRECORDED
        own = KeyHandover.reservation_id == row.id
        row.keys_on = came_on if is_recorded else None
        if is_recorded:
            at = instant(came_on, 11)
            session.execute(update(KeyHandover).where(own).values(handed_on=came_on, written_at=at))
        else:
            session.execute(delete(KeyHandover).where(own))
        if days not in _SILENT:
            _add_report(session, now, row, album)


def _add_report(session: Session, now: datetime, row: Reservation, album: Album) -> None:
    """Tell the rooms on the evening after the arrival; whose day is today is still writing."""
    window = window_of(row)
    if window is None:
        return
    today = FixedClock(now).today()
    is_writing = window.arrival_on == today - timedelta(days=1)
    at = min(now, instant(window.arrival_on + timedelta(days=1), 19))
    clock = FixedClock(at)
    for found in _ROOMS[: 2 if is_writing else None]:
        save_condition_room(
            session,
            clock,
            reservation_id=row.id,
            room=found.room,
            state=found.state,
            note=found.ja if _language_of_resident(row) == "ja" else found.en,
            photos=[album[found.scene]] if found.scene and found.scene in album else [],
        )
    if is_writing:
        return
    facts = {"reservation_id": row.id, "remark": _ARRIVALS["remark"][_language_of_resident(row)]}
    report_id = send_condition_report(
        Work(session, FixedClock(at), f"reservation/{row.id}"), **facts
    )
    if not window.is_open(today):
        read = FixedClock(min(now, at + timedelta(days=1)))
        see_condition_report(Work(session, read, _find_office_actor(session)), report_id=report_id)


def _language_of_resident(row: Reservation) -> str:
    return "en" if row.locale == "en" else "ja"


def _find_office_actor(session: Session) -> str:
    office = select(Member.person_id).where(Member.role == StaffRole.OFFICE).order_by(Member.id)
    return f"person/{session.scalars(office.limit(1)).first() or 'demo'}"


_OFFICE: Final = "demo"
_TRAVELLERS: Final = tuple(GuestRegisterEntry(**row) for row in _ARRIVALS["traveller"])


def keep_stays(session: Session, now: datetime, files: Files) -> None:
    """Make the links of the guests who come next and who stay, each at another point."""
    clock = FixedClock(now)
    set_stay_terms(
        Work(session, clock, _OFFICE),
        register_fields=[RegisterField.OCCUPATION],
        rules_ja=_ARRIVALS["rules_ja"],
        rules_en=_ARRIVALS["rules_en"],
    )
    staying, coming = (
        _guests_of(session, Lifecycle.LIVING),
        _guests_of(session, Lifecycle.CONFIRMED),
    )
    for row in coming[:1]:
        _make_stay_link(session, clock, row, guests=2)
    for number, row in enumerate(staying[:2]):
        came = datetime.combine(row.starts_on or now.date(), now.timetz())
        _check_in(
            session, FixedClock(min(now, came - timedelta(days=1))), row, files, is_half=number == 1
        )


def _guests_of(session: Session, lifecycle: Lifecycle) -> Sequence[Reservation]:
    return session.scalars(
        select(Reservation)
        .where(
            Reservation.kind == ReservationKind.GUEST,
            Reservation.lifecycle == lifecycle,
            Reservation.starts_on.is_not(None),
        )
        .order_by(Reservation.starts_on, Reservation.id)
    ).all()


def _make_stay_link(session: Session, clock: FixedClock, row: Reservation, *, guests: int) -> str:
    return link_stay(Work(session, clock, _OFFICE), reservation_id=row.id, guests=guests)


def _check_in(
    session: Session, clock: FixedClock, row: Reservation, files: Files, *, is_half: bool
) -> None:
    """One registers both guests, sends the passport and plans the arrival; the other, one guest."""
    link_id, actor = _make_stay_link(session, clock, row, guests=2), f"reservation/{row.id}"
    guests = _TRAVELLERS[:1] if is_half else _TRAVELLERS
    for position, guest in enumerate(guests, start=1):
        register_guest(Work(session, clock, actor), link_id=link_id, position=position, guest=guest)
    if is_half:
        return
    # A page that nobody could take for a passport.
    page = Image.new("RGB", (1000, 700), "#dfe7ef")
    pen = ImageDraw.Draw(page)
    pen.rectangle((60, 140, 360, 540), fill="#9fb4c7")
    pen.text((420, 160), "SPECIMEN - DEMO ONLY", fill="#20303f", font_size=40)
    pen.text((420, 240), "FERNANDEZ, LUCIA", fill="#20303f", font_size=40)
    buffer = io.BytesIO()
    page.save(buffer, "WEBP", quality=80)
    key = files.put_alone(buffer.getvalue(), "webp")
    send_passport(Work(session, clock, actor), link_id=link_id, position=1, file_key=key)
    plan_arrival(
        Work(session, clock, actor), link_id=link_id, arrival_time="17:30", accepts_rules=True
    )


def keep_move_outs(session: Session, now: datetime, album: Album) -> None:
    """Have a home inspected that somebody leaves, a settlement sent, and another objected to."""
    leaving = session.scalars(
        select(Reservation)
        .where(
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle.in_((Lifecycle.MOVED_OUT, Lifecycle.NOTICE_FILED)),
            Reservation.email.is_not(None),
        )
        .order_by(Reservation.ends_on, Reservation.id)
    ).all()
    for row in leaving[:1]:
        if condition_of_reservation(session, row.id).sent_at is None:
            _add_report(session, now, row, album)
        # Find one place worse than on arrival, with a photo, and the others the same.
        work = Work(session, FixedClock(now), _find_office_actor(session))
        seen = [found for found in _ROOMS if found.scene in album]
        for found in _ROOMS[:4]:
            verdict = RoomVerdict.WORSE if found in seen[:1] else RoomVerdict.SAME
            record_inspected_room(work, reservation_id=row.id, room=found.room, verdict=verdict)
        for found in seen[:1]:
            sized = album[found.scene or ""]
            add_inspection_photo(work, reservation_id=row.id, room=found.room, sized=sized)
            note_damage(
                work,
                reservation_id=row.id,
                room=found.room,
                item=WornItem.WOODEN_FURNITURE,
                note=_ARRIVALS["damage"][_language_of_resident(row)],
            )
    today = FixedClock(now).today()
    for number, refund in enumerate(unsent_refunds(session, today)[:2]):
        settled = refund.settlement
        sent = FixedClock(min(now, max(instant(settled.settled_on, 16), now - timedelta(days=5))))
        reservation_id = settled.reservation_id
        mark_paper_sent(
            Work(session, sent, _find_office_actor(session)), reservation_id=reservation_id
        )
        if number:
            _object_to_settlement(session, now, reservation_id)


def _object_to_settlement(session: Session, now: datetime, reservation_id: str) -> None:
    row = session.scalars(select(Reservation).where(Reservation.id == reservation_id)).one()
    found = paper_of(session, reservation_id, FixedClock(now).today())
    position = found.lines[0].position if found and found.lines else None
    object_to_paper(
        Work(session, FixedClock(now), f"reservation/{reservation_id}"),
        reservation_id=reservation_id,
        objections={position: _ARRIVALS["objection"][_language_of_resident(row)]},
    )
    session.flush()
    # The mail about it was sent before the demo begins.
    for mail in session.scalars(select(OutboxMail).where(OutboxMail.sent_at.is_(None))):
        mail.sent_at, mail.due_at = mail.written_at, None
