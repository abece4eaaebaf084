"""The inspection of a home at move-out: each place beside what was found there on arrival."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.arrivals.models import (
    ConditionPhoto,
    ConditionReport,
    ConditionRoom,
    InspectedDamage,
    InspectedRoom,
    InspectionPhoto,
    MoveOutInspection,
)
from pms.catalogue.checks import LONGEST_TEXT, check_text
from pms.catalogue.models import Building, Unit
from pms.catalogue.photo_sizes import SizedPhoto
from pms.deposits.settlements import MOST_QUANTITY
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import Refused, no_such
from pms.foundation.idempotency import is_new
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual, join_with_commas
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, find_row, locked
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import (
    CheckedRoom,
    ConditionState,
    Lifecycle,
    ReservationKind,
    RoomVerdict,
)
from pms.rules.wear import DeductionBearer, WornItem

_LEAVING: Final = (Lifecycle.NOTICE_FILED, Lifecycle.MOVED_OUT, Lifecycle.TRANSFERRED)
MOST_PHOTOS: Final = 80
_MOST_DAMAGES: Final = 30


class ComparedPhoto(NamedTuple):
    """A photo with the stored file of each width."""

    id: str
    width: int
    height: int
    files: Mapping[str, str]


class FoundDamage(NamedTuple):
    """What is worse in a place and costs something."""

    id: str
    room: CheckedRoom
    item: WornItem
    note: str | None
    quantity: Decimal
    bearer: DeductionBearer
    fitted_on: date | None

    @property
    def quantity_text(self) -> str:
        """The exact quantity without needless zeros."""
        return f"{self.quantity.normalize():f}"


class ComparedPlace(NamedTuple):
    """One part of a home: on arrival as the resident reported it, and at move-out."""

    room: CheckedRoom
    arrival_state: ConditionState | None
    arrival_note: str | None
    before: Sequence[ComparedPhoto]
    verdict: RoomVerdict | None
    note: str | None
    after: Sequence[ComparedPhoto]
    damages: Sequence[FoundDamage]


@dataclass(frozen=True)
class InspectionRecord:
    """The inspection of one home, begun or not; it names no person."""

    reservation_id: str
    building: Bilingual
    unit_name: str
    leaves_on: date | None
    is_open: bool
    places: Sequence[ComparedPlace]
    has_arrival_report: bool
    finished_at: datetime | None
    finished_by: str | None
    left_out_because: str | None

    @property
    def unrecorded(self) -> Sequence[CheckedRoom]:
        """The places without a verdict, in order."""
        return [place.room for place in self.places if place.verdict is None]

    @property
    def recorded(self) -> int:
        """The number of places with a verdict."""
        return sum(place.verdict is not None for place in self.places)

    @property
    def damages(self) -> Sequence[FoundDamage]:
        """All that is worse and costs something, place by place."""
        return [damage for place in self.places for damage in place.damages]

    def place(self, room: str) -> ComparedPlace:
        """Return one place; raise `NotFound` for an unknown name."""
        for found in self.places:
            if found.room == room:
                return found
        raise no_such("room", room)


def move_out_inspection(session: Session, reservation_id: str) -> InspectionRecord:
    """Return the inspection of a reservation; raise `NotFound` for a stay that is not inspected."""
    row = find_row(session, Reservation, reservation_id)
    inspection = _find_inspection(session, row.id)
    if row.kind != ReservationKind.RESIDENT or (inspection is None and not _is_leaving(row)):
        raise no_such("inspection", reservation_id)
    unit, ja, en = session.execute(
        select(Unit.name, Building.name, Building.name_en)
        .join(Unit.building)
        .where(Unit.id == row.unit_id)
    ).one()
    arrived = arrival_rooms(session, row.id)
    before = arrival_photos(session, row.id)
    rooms: Mapping[str, InspectedRoom] = {}
    after: Mapping[str, Sequence[ComparedPhoto]] = {}
    damages: Sequence[FoundDamage] = ()
    if inspection is not None:
        rooms = _rooms_of(session, inspection.id)
        after = inspection_photos(session, row.id)
        damages = _damages_of(session, row.id)
    places = [
        ComparedPlace(
            room,
            arrived[room][0] if room in arrived else None,
            arrived[room][1] if room in arrived else None,
            before.get(room, ()),
            rooms[room].verdict if room in rooms else None,
            rooms[room].note if room in rooms else None,
            after.get(room, ()),
            [damage for damage in damages if damage.room == room],
        )
        for room in CheckedRoom
    ]
    return InspectionRecord(
        row.id,
        Bilingual(ja, en),
        unit,
        row.ends_on,
        _is_leaving(row),
        places,
        bool(arrived),
        inspection.finished_at if inspection else None,
        inspection.finished_by if inspection else None,
        inspection.left_out_because if inspection else None,
    )


def arrival_rooms(
    session: Session, reservation_id: str
) -> Mapping[str, tuple[ConditionState, str | None]]:
    """Return the state and note of each place in the report that the resident sent on arrival."""
    rows = session.execute(
        select(ConditionRoom.room, ConditionRoom.state, ConditionRoom.note)
        .join(ConditionReport, refers_to(ConditionRoom.report_id, ConditionReport))
        .where(
            ConditionReport.reservation_id == reservation_id, ConditionReport.sent_at.is_not(None)
        )
    )
    return {room: (state, note) for room, state, note in rows}


def arrival_photos(session: Session, reservation_id: str) -> Mapping[str, Sequence[ComparedPhoto]]:
    """Return the photos of the arrival report that was sent, by place."""
    rows = session.scalars(
        select(ConditionPhoto)
        .join(ConditionReport, refers_to(ConditionPhoto.report_id, ConditionReport))
        .where(
            ConditionReport.reservation_id == reservation_id, ConditionReport.sent_at.is_not(None)
        )
        .order_by(ConditionPhoto.added_at, ConditionPhoto.id)
    )
    return _by_room(rows.all())


def inspection_photos(
    session: Session, reservation_id: str
) -> Mapping[str, Sequence[ComparedPhoto]]:
    """Return the photos of the inspection at move-out, by place."""
    rows = session.scalars(
        select(InspectionPhoto)
        .join(MoveOutInspection, refers_to(InspectionPhoto.inspection_id, MoveOutInspection))
        .where(MoveOutInspection.reservation_id == reservation_id)
        .order_by(InspectionPhoto.taken_at, InspectionPhoto.id)
    )
    return _by_room(rows.all())


def compared_photo_file(session: Session, reservation_id: str, photo_id: str, width: int) -> str:
    """Return the key of a photo's file, from arrival or move-out, of an inspected home."""
    for photos in (
        *arrival_photos(session, reservation_id).values(),
        *inspection_photos(session, reservation_id).values(),
    ):
        for photo in photos:
            if photo.id == photo_id and str(width) in photo.files:
                return photo.files[str(width)]
    raise no_such("photo", photo_id)


def _by_room(rows: Sequence[Any]) -> Mapping[str, Sequence[ComparedPhoto]]:
    found: dict[str, list[ComparedPhoto]] = {}
    for row in rows:
        photo = ComparedPhoto(row.id, row.width, row.height, row.files)
        found.setdefault(row.room, []).append(photo)
    return found


def _rooms_of(session: Session, inspection_id: str) -> Mapping[str, InspectedRoom]:
    rows = session.scalars(
        select(InspectedRoom).where(InspectedRoom.inspection_id == inspection_id)
    )
    return {row.room: row for row in rows}


def _damages_of(session: Session, reservation_id: str) -> Sequence[FoundDamage]:
    rows = session.scalars(
        select(InspectedDamage)
        .join(MoveOutInspection, refers_to(InspectedDamage.inspection_id, MoveOutInspection))
        .where(MoveOutInspection.reservation_id == reservation_id)
        .order_by(InspectedDamage.written_at, InspectedDamage.id)
    )
    return [
        FoundDamage(row.id, row.room, row.item, row.note, row.quantity, row.bearer, row.fitted_on)
        for row in rows
    ]


def record_inspected_room(
    work: Work,
    *,
    reservation_id: str,
    room: CheckedRoom,
    verdict: RoomVerdict,
    note: str | None = None,
    key: str | None = None,
) -> None:
    """Record how a place is compared with the arrival, replacing what was recorded before.

    A `key` that arrived before changes nothing. Raises `Refused` before a notice is filed, and once
    the deposit is settled.
    """
    inspection = _lock_inspection(work, reservation_id)
    if not is_new(work.session, work.clock, work.actor, key):
        return
    row = work.session.scalar(
        select(InspectedRoom).where(
            InspectedRoom.inspection_id == inspection.id, InspectedRoom.room == room
        )
    )
    if row is None:
        row = InspectedRoom(id=new_id(), inspection_id=inspection.id, room=room)
        work.session.add(row)
    row.verdict, row.note = verdict, check_text("note", note, LONGEST_TEXT)
    row.written_at, row.written_by = work.clock.now(), work.actor
    facts = {"room": room, "condition": verdict}
    about = of_reservation(reservation_id)
    note_audit_event(work, AuditEvent.INSPECTED_ROOM_RECORDED, about, after=facts)
    work.session.flush()


def add_inspection_photo(
    work: Work,
    *,
    reservation_id: str,
    room: CheckedRoom,
    sized: SizedPhoto,
    key: str | None = None,
) -> None:
    """Add a photo of a place; a `key` that arrived before changes nothing."""
    inspection = _lock_inspection(work, reservation_id)
    if not is_new(work.session, work.clock, work.actor, key):
        return
    of_it = InspectionPhoto.inspection_id == inspection.id
    taken = work.session.scalar(select(func.count()).select_from(InspectionPhoto).where(of_it))
    if (taken or 0) >= MOST_PHOTOS:
        raise Refused("photo: an inspection can have up to {most} photos.", most=MOST_PHOTOS)
    work.session.add(
        InspectionPhoto(
            id=new_id(),
            inspection_id=inspection.id,
            room=room,
            width=sized.width,
            height=sized.height,
            files=dict(sized.files),
            taken_at=work.clock.now(),
            taken_by=work.actor,
        )
    )
    about = of_reservation(reservation_id)
    note_audit_event(work, AuditEvent.INSPECTION_PHOTO_ADDED, about, after={"room": room})
    work.session.flush()


def note_damage(
    work: Work,
    *,
    reservation_id: str,
    room: CheckedRoom,
    item: WornItem,
    note: str | None = None,
    quantity: Decimal = Decimal(1),
    bearer: DeductionBearer = DeductionBearer.RESIDENT,
    fitted_on: date | None = None,
    key: str | None = None,
) -> None:
    """Note something worse in a place, which becomes a line of the settlement.

    A `key` that arrived before changes nothing. Raises `Refused` without a description where the
    item is not one of the price list, and for a quantity that is none.
    """
    inspection = _lock_inspection(work, reservation_id)
    if not is_new(work.session, work.clock, work.actor, key):
        return
    words = check_text("note", note)
    if item is WornItem.OTHER and not words:
        raise Refused("note: describe what is worse.")
    if not 0 < quantity <= MOST_QUANTITY or quantity != round(quantity, 3):
        raise Refused(
            "quantity: enter a quantity above 0 and up to {most}, with at most three decimals.",
            most=MOST_QUANTITY,
        )
    of_it = InspectedDamage.inspection_id == inspection.id
    noted = work.session.scalar(select(func.count()).select_from(InspectedDamage).where(of_it))
    if (noted or 0) >= _MOST_DAMAGES:
        raise Refused("note: a settlement has at most {most} lines.", most=_MOST_DAMAGES)
    work.session.add(
        InspectedDamage(
            id=new_id(),
            inspection_id=inspection.id,
            room=room,
            item=item,
            note=words,
            quantity=quantity,
            bearer=bearer,
            fitted_on=fitted_on,
            written_at=work.clock.now(),
            written_by=work.actor,
        )
    )
    facts = {"room": room, "item": item, "note": words, "quantity": str(quantity)}
    note_audit_event(work, AuditEvent.DAMAGE_NOTED, of_reservation(reservation_id), after=facts)
    work.session.flush()


def remove_inspection_part(work: Work, *, reservation_id: str, part_id: str) -> CheckedRoom:
    """Remove a photo or a damage of the inspection, and return its place.

    Raises `NotFound` for one of another home.
    """
    locked(work.session, Reservation, reservation_id)
    part: InspectionPhoto | InspectedDamage | None = None
    if inspection := _find_inspection(work.session, reservation_id):
        part = work.session.scalar(
            select(InspectionPhoto).where(
                InspectionPhoto.id == part_id, InspectionPhoto.inspection_id == inspection.id
            )
        ) or work.session.scalar(
            select(InspectedDamage).where(
                InspectedDamage.id == part_id, InspectedDamage.inspection_id == inspection.id
            )
        )
    if part is None:
        raise no_such("part", part_id)
    _lock_inspection(work, reservation_id)
    facts: dict[str, Any] = {"room": part.room}
    audit_event = AuditEvent.INSPECTION_PHOTO_REMOVED
    if isinstance(part, InspectedDamage):
        facts |= {"item": part.item, "note": part.note}
        audit_event = AuditEvent.DAMAGE_REMOVED
    work.session.delete(part)
    note_audit_event(work, audit_event, of_reservation(reservation_id), before=facts)
    work.session.flush()
    return part.room


def finish_inspection(
    work: Work, *, reservation_id: str, left_out_because: str | None = None
) -> None:
    """Note that the inspection is done; a second time changes nothing.

    What is recorded later still counts until the deposit is settled. Raises `Refused` while no
    place is recorded, and where some are not unless `left_out_because` says why.
    """
    inspection = _lock_inspection(work, reservation_id)
    if inspection.finished_at is not None:
        return
    rooms = _rooms_of(work.session, inspection.id)
    if not rooms:
        raise Refused("inspection: record at least one place first.")
    because = None
    if unrecorded := [room for room in CheckedRoom if room not in rooms]:
        because = check_text("leftOutBecause", left_out_because, LONGEST_TEXT)
        if not because:
            raise Refused(
                "leftOutBecause: not recorded: {places}. Record them, or say why they are left out.",
                places=join_with_commas(unrecorded),
            )
    inspection.finished_at, inspection.finished_by = work.clock.now(), work.actor
    inspection.left_out_because = because
    worse = sum(row.verdict is RoomVerdict.WORSE for row in rooms.values())
    facts = {"rooms": len(rooms), "worse": worse, "reason": because}
    about = of_reservation(reservation_id)
    note_audit_event(work, AuditEvent.INSPECTION_FINISHED, about, after=facts)
    work.session.flush()


def _is_leaving(row: Reservation) -> bool:
    return row.kind == ReservationKind.RESIDENT and row.lifecycle in _LEAVING


def _find_inspection(session: Session, reservation_id: str) -> MoveOutInspection | None:
    return session.scalar(
        select(MoveOutInspection).where(MoveOutInspection.reservation_id == reservation_id)
    )


def _lock_inspection(work: Work, reservation_id: str) -> MoveOutInspection:
    """Lock the reservation and return its inspection, which is begun if there is none."""
    row = locked(work.session, Reservation, reservation_id)
    if not _is_leaving(row):
        raise Refused(
            "inspection: a home is inspected between the notice and the settlement of the deposit."
        )
    found = _find_inspection(work.session, row.id)
    if found is None:
        found = MoveOutInspection(
            id=new_id(),
            reservation_id=row.id,
            started_at=work.clock.now(),
            started_by=work.actor,
        )
        work.session.add(found)
        work.session.flush()
    return found
