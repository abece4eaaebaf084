"""A home is inspected at move-out beside the arrival, and what is worse becomes the settlement."""

from datetime import date
from decimal import Decimal

import pytest
from PIL import Image
from sqlalchemy import select

from pms.arrivals.inspections import (
    InspectionRecord,
    add_inspection_photo,
    finish_inspection,
    move_out_inspection,
    note_damage,
    record_inspected_room,
    remove_inspection_part,
)
from pms.catalogue.photo_sizes import store_sizes
from pms.deposits.settlements import settle
from pms.foundation.errors import NotFound, Refused
from pms.foundation.files import Files
from pms.reservations.models import Reservation
from pms.rules.enumerations import CheckedRoom, RoomVerdict
from pms.rules.wear import WornItem
from tests.departures.desk import Desk
from tests.departures.test_file_notice import leaving_in_august
from tests.deposits.test_settle import left_in_august

KITCHEN = CheckedRoom.KITCHEN


def inspected(desk: Desk, id_: str) -> InspectionRecord:
    found = desk.ask(move_out_inspection, id_)
    assert isinstance(found, InspectionRecord)
    return found


def test_a_home_is_inspected_only_between_notice_and_settlement(desk: Desk) -> None:
    id_ = leaving_in_august(desk)
    worse = {"reservation_id": id_, "room": KITCHEN, "verdict": RoomVerdict.WORSE}
    with pytest.raises(NotFound):
        desk.ask(move_out_inspection, id_)
    with pytest.raises(Refused):
        desk.do(record_inspected_room, **worse)
    id_ = left_in_august(desk)
    desk.do(record_inspected_room, **{**worse, "reservation_id": id_})
    desk.do(settle, reservation_id=id_)
    assert not inspected(desk, id_).is_open
    with pytest.raises(Refused):
        desk.do(record_inspected_room, **{**worse, "reservation_id": id_})


def test_what_was_sent_twice_counts_once(desk: Desk) -> None:
    id_ = left_in_august(desk)
    damage = {"reservation_id": id_, "room": KITCHEN, "item": WornItem.SINK}
    for _ in range(2):
        desk.do(note_damage, **damage, key="1764400000-1")
    desk.do(note_damage, **damage, quantity=Decimal("0.5"), key="1764400000-2")
    assert [damage.quantity for damage in inspected(desk, id_).damages] == [1, Decimal("0.5")]


def test_an_inspection_is_finished_once_and_with_open_places_only_for_a_reason(desk: Desk) -> None:
    id_ = left_in_august(desk)
    with pytest.raises(Refused):
        desk.do(finish_inspection, reservation_id=id_)
    for verdict in (RoomVerdict.WORSE, RoomVerdict.SAME):
        desk.do(record_inspected_room, reservation_id=id_, room=KITCHEN, verdict=verdict)
    with pytest.raises(Refused) as refusal:
        desk.do(finish_inspection, reservation_id=id_, left_out_because=" ")
    assert refusal.value.field == "leftOutBecause"
    assert "bath" in str(refusal.value)
    assert "kitchen" not in str(refusal.value)
    desk.do(finish_inspection, reservation_id=id_, left_out_because="鍵がない")
    found = inspected(desk, id_)
    assert found.left_out_because == "鍵がない"
    assert KITCHEN not in found.unrecorded
    assert (found.place("kitchen").verdict, found.recorded) == (RoomVerdict.SAME, 1)
    assert found.finished_at == desk.clock.now()


def test_a_photo_and_a_damage_can_be_removed_and_only_of_their_home(desk: Desk) -> None:
    id_ = left_in_august(desk)
    sized = store_sizes(Image.new("RGB", (480, 360), "teal"), Files(desk.database.settings))
    desk.do(add_inspection_photo, reservation_id=id_, room=KITCHEN, sized=sized)
    desk.do(
        note_damage,
        reservation_id=id_,
        room=KITCHEN,
        item=WornItem.OTHER,
        note="扉の傷",
        fitted_on=date(2024, 4, 1),
    )
    place = inspected(desk, id_).place("kitchen")
    (photo,), (damage,) = place.after, place.damages
    other = left_in_august(desk)
    for part in (photo, damage):
        with pytest.raises(NotFound):
            desk.do(remove_inspection_part, reservation_id=other, part_id=part.id)
        assert desk.do(remove_inspection_part, reservation_id=id_, part_id=part.id) == KITCHEN
    place = inspected(desk, id_).place("kitchen")
    assert (place.after, place.damages) == ((), [])


def test_a_damage_of_no_item_needs_words(desk: Desk) -> None:
    id_ = left_in_august(desk)
    with pytest.raises(Refused) as refusal:
        desk.do(note_damage, reservation_id=id_, room=KITCHEN, item=WornItem.OTHER)
    assert refusal.value.field == "note"


def test_the_lifecycle_is_left_alone(desk: Desk) -> None:
    id_ = left_in_august(desk)
    asked = select(Reservation.lifecycle).where(Reservation.id == id_)
    before = desk.ask(lambda session: session.scalar(asked))
    desk.do(record_inspected_room, reservation_id=id_, room=KITCHEN, verdict=RoomVerdict.SAME)
    assert desk.ask(lambda session: session.scalar(asked)) == before
