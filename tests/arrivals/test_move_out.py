"""A move-out is recorded at the door, or happens by itself at midnight and is recorded after."""

from pms.arrivals.lifecycles import advance_lifecycles
from pms.arrivals.move_outs import move_out, move_out_record
from pms.departures.notices import file_notice
from pms.foundation.errors import Refused
from pms.rules.enumerations import Lifecycle
from tests.arrivals.office import OWNER, Office, day, refused

DOOR = {"has_keys": True, "meter_reading": "12,345 kWh"}


def test_keys_and_meter_are_recorded_on_the_last_day_and_not_before(
    office: Office, room: str
) -> None:
    id_ = office.house(room, "2026-11-20", "2027-05-31")
    with refused(office, "no notice is filed", Refused):
        office.do(move_out, reservation_id=id_, **DOOR)
    office.do(file_notice, reservation_id=id_, move_out_on=day("2026-12-28"))
    with refused(office, "the move-out day is 2026-12-28", Refused):
        office.do(move_out, reservation_id=id_, **DOOR)
    office.go_to("2026-12-28")
    office.do(move_out, reservation_id=id_, **DOOR)
    assert office.lifecycle(id_) == Lifecycle.MOVED_OUT
    record = office.ask(move_out_record, id_)
    assert record is not None
    assert (record.left_on, record.has_keys) == (day("2026-12-28"), True)
    assert record.meter_reading == "12,345 kWh"
    with refused(office, "already recorded", Refused):
        office.do(move_out, reservation_id=id_, **DOOR)


def test_a_move_out_that_happened_by_itself_is_recorded_afterwards(
    office: Office, room: str
) -> None:
    id_ = office.house(room, "2026-11-20", "2027-05-31")
    office.do(file_notice, reservation_id=id_, move_out_on=day("2026-12-28"))
    office.go_to("2026-12-29")
    assert office.do(advance_lifecycles).moved_out == [id_]
    office.do(move_out, reservation_id=id_, has_keys=False, note="一本不足")
    record = office.ask(move_out_record, id_)
    assert record is not None
    assert (record.left_on, record.has_keys) == (day("2026-12-28"), False)


def test_an_owner_is_moved_out_without_a_notice(office: Office, room: str) -> None:
    id_ = office.book(
        room, "2026-11-20", None, kind=OWNER, amounts=None, deposit_yen=0, reservation_fee_yen=0
    )
    office.do(advance_lifecycles)
    office.do(move_out, reservation_id=id_, has_keys=True)
    assert office.lifecycle(id_) == Lifecycle.MOVED_OUT
