"""A unit is free when its state says so; whoever filed no notice is followed only by agreement."""

from datetime import date
from typing import Any

import pytest

from pms.arrivals.amendments import amend
from pms.arrivals.free_units import bookable_units, free_units, list_followed_residents
from pms.departures.notices import file_notice
from pms.foundation.errors import Refused
from pms.reservations.tenancies import tenancy_of
from pms.rules.enumerations import MonthToMonthState
from pms.rules.unit_stays import month_to_month_state
from pms.stays.check_in_links import create_check_in_link
from pms.workspaces.queries import policy
from tests.arrivals.office import OWNER, RENT, Office, day, refused
from tests.cast import external_block

SPRING, SUMMER = "2027-03-01", "2027-08-31"


@pytest.fixture
def resident(office: Office, room: str) -> str:
    """Somebody whose contract ended in October and who has filed no notice: month to month."""
    return office.house(room, "2026-06-01", "2026-10-31", name="佐藤 花子")


def on_offer(office: Office, room: str, start: str, end: str | None) -> dict[str, Any]:
    building_id = office.home.building_id
    days = day(start), end and day(end)
    found = office.ask(bookable_units, building_id, *days, office.clock.today())
    return {unit.id: unit for unit in found}


def state_of(office: Office, reservation_id: str) -> MonthToMonthState:
    on: date = office.clock.today()
    tenancy = office.ask(tenancy_of, reservation_id, on)
    return month_to_month_state(tenancy, on, office.ask(policy))


def test_who_lives_there_without_a_notice_keeps_the_unit_from_being_free(
    office: Office, room: str, other_room: str, resident: str
) -> None:
    found = on_offer(office, room, SPRING, SUMMER)
    assert found[other_room].is_free
    assert not found[room].is_free
    assert [one.name for one in found[room].followed] == ["佐藤 花子"]
    office.do(file_notice, reservation_id=resident, move_out_on=day("2027-01-31"))
    assert on_offer(office, room, SPRING, SUMMER)[room].is_free
    assert room not in on_offer(office, room, "2027-01-30", SUMMER)


def test_a_guest_is_offered_the_nights_before_somebody_moves_in_and_none_after(
    office: Office, room: str
) -> None:
    office.book(room, "2027-01-10", "2027-06-30")
    asked = office.home.building_id
    nights = [("2027-01-05", "2027-01-10", True), ("2027-07-05", "2027-07-08", False)]
    for start, end, is_free in nights:
        found = office.ask(free_units, asked, day(start), day(end), office.clock.today())
        assert (room in {unit.id for unit in found}) is is_free, start


def test_an_owner_who_is_to_leave_is_not_free_and_holds_no_nights_after(
    office: Office, room: str
) -> None:
    owner = office.book(
        room, "2026-01-01", None, kind=OWNER, amounts=None, deposit_yen=0, reservation_fee_yen=0
    )
    with office.database.writing(office.home.workspace_id) as session:
        session.get_one(
            type(office.row(owner)), (office.home.workspace_id, owner)
        ).move_out_date = day("2026-12-31")
    unit = on_offer(office, room, SPRING, SUMMER)[room]
    assert (unit.is_free, [one.move_out_on for one in unit.followed]) == (
        False,
        [day("2026-12-31")],
    )


def test_a_unit_taken_outside_the_service_is_not_free_but_holds_no_nights(
    office: Office, room: str
) -> None:
    office.home.store(external_block(unit_id=room, first_on=day(SPRING), last_on=day(SUMMER)))
    unit = on_offer(office, room, SPRING, SUMMER)[room]
    assert (unit.is_free, unit.is_blocked, unit.followed) == (False, True, ())


def test_a_successor_of_somebody_month_to_month_takes_an_agreement_that_names_them(
    office: Office, room: str, resident: str
) -> None:
    assert state_of(office, resident) is MonthToMonthState.DERIVED
    words = "follows: the resident of this unit is month to month and has given no notice"
    for agreed in ((), ("0" * 32,)):
        with refused(office, words, Refused):
            office.book(room, SPRING, SUMMER, follows=agreed)
    office.book(room, SPRING, SUMMER, follows=(resident,))
    assert state_of(office, resident) is MonthToMonthState.NONE


def test_what_a_successor_does_is_told_before_it_is_booked(
    office: Office, room: str, resident: str
) -> None:
    asked = room, day(SPRING), day(SUMMER), office.clock.today()
    (found,) = office.ask(list_followed_residents, *asked)
    assert (found.reservation_id, found.is_month_to_month) == (resident, True)
    assert (found.since, found.billed_until) == (day("2026-10-01"), day("2026-10-31"))
    held = room, day("2026-11-20"), day(SUMMER), office.clock.today()
    assert not office.ask(list_followed_residents, *held), "who holds the nights is told otherwise"


def test_a_tenancy_moves_after_somebody_month_to_month_only_by_agreement(
    office: Office, room: str, other_room: str, resident: str
) -> None:
    mover = office.book(other_room, "2026-06-01", "2027-05-31", name="鈴木 一郎")
    move = {"reservation_id": mover, "last_on": day("2027-02-28"), "unit_id": room}
    with refused(office, "follows: the resident of this unit", Refused):
        office.do(amend, **move, amounts=RENT)
    assert office.do(amend, **move, amounts=RENT, follows=(resident,)).booked


def test_a_guest_never_follows_somebody_without_a_notice(
    office: Office, room: str, resident: str
) -> None:
    asked = {"unit_id": room, "guest_name": "Emma", "check_out": day("2027-03-04")}
    with refused(office, "unitId: the unit is not free from 2027-03-01", Refused):
        office.do(create_check_in_link, check_in=day(SPRING), **asked)
