"""Staff move an owner resident out by hand; everybody else leaves by a notice or by the days."""

import pytest

from pms.arrivals.lifecycles import advance_lifecycles, move_in
from pms.departures.expected_departures import move_out_owner_resident
from pms.foundation.audit import audit_events
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.rules.enumerations import Lifecycle
from tests.arrivals.office import OWNER, Office, day, refused


@pytest.fixture
def owner(office: Office, room: str) -> str:
    """An owner who has lived in the room since 1 November, with no agreed end."""
    id_ = office.book(
        room,
        "2026-11-01",
        None,
        kind=OWNER,
        amounts=None,
        reservation_fee_yen=0,
        deposit_yen=0,
    )
    office.do(move_in, reservation_id=id_)
    office.go_to("2026-11-25")
    return id_


def test_an_owner_resident_who_left_is_moved_out_today(office: Office, owner: str) -> None:
    row = office.do(move_out_owner_resident, reservation_id=owner)
    assert (row.lifecycle, row.move_out_date) == (Lifecycle.MOVED_OUT, day("2026-11-25"))
    (audit_event, *_) = [
        one
        for one in office.ask(audit_events).audit_events
        if one.audit_event == "reservation.moved_out"
    ]
    assert audit_event.after["lifecycle"] == "moved_out"


def test_the_room_is_free_for_somebody_else_afterwards(
    office: Office, owner: str, room: str
) -> None:
    with refused(office, "overlaps with another reservation", Refused):
        office.book(room, "2026-12-01", "2027-03-31")
    office.do(move_out_owner_resident, reservation_id=owner, move_out_on=day("2026-11-20"))
    assert office.book(room, "2026-12-01", "2027-03-31")


def test_of_a_coming_day_they_move_out_by_themselves_on_the_day_after(
    office: Office, owner: str
) -> None:
    office.do(move_out_owner_resident, reservation_id=owner, move_out_on=day("2026-12-05"))
    office.go_to("2026-12-05")
    office.do(advance_lifecycles)
    assert office.lifecycle(owner) == Lifecycle.LIVING
    office.go_to("2026-12-06")
    assert office.do(advance_lifecycles).moved_out == [owner]
    assert office.lifecycle(owner) == Lifecycle.MOVED_OUT


def test_a_day_before_the_move_in_is_refused(office: Office, owner: str) -> None:
    with refused(office, "moveOutDate: 2026-10-31 is not between the move-in on", Refused):
        office.do(move_out_owner_resident, reservation_id=owner, move_out_on=day("2026-10-31"))


def test_who_is_no_owner_resident_is_not_moved_out_by_hand(office: Office, other_room: str) -> None:
    resident = office.book(other_room, "2026-11-01", "2027-03-31")
    office.do(move_in, reservation_id=resident)
    with refused(office, "only an owner resident can be moved out", Refused):
        office.do(move_out_owner_resident, reservation_id=resident)


def test_nobody_moves_out_twice_or_before_they_moved_in(
    office: Office, owner: str, other_room: str
) -> None:
    office.do(move_out_owner_resident, reservation_id=owner)
    with refused(office, "moved_out cannot become moved_out", Refused):
        office.do(move_out_owner_resident, reservation_id=owner)
    facts = {"kind": OWNER, "amounts": None, "reservation_fee_yen": 0, "deposit_yen": 0}
    coming = office.book(other_room, "2027-01-01", None, **facts)
    with refused(office, "booked cannot become moved_out", Refused):
        office.do(move_out_owner_resident, reservation_id=coming)


def test_a_stale_edit_and_an_unknown_reservation_are_named(office: Office, owner: str) -> None:
    with refused(office, "changed since you opened it (version 1", Collision):
        office.do(move_out_owner_resident, reservation_id=owner, expected_version=1)
    with refused(office, "There is no reservation", NotFound):
        office.do(move_out_owner_resident, reservation_id=new_id())
