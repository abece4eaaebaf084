"""One search finds a room of any building, and the next page is filled with what is known."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import insert

from pms.catalogue.models import Building, Unit
from pms.enquiries.waitlist import WaitlistWish, add_to_waitlist, waiting_person
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.inbox.models import Enquiry
from pms.reservations.models import Reservation
from pms.rules.enumerations import EnquiryState, WaitlistState
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.surfaces.dashboard.reservations.test_new_reservation import fields_of
from tests.surfaces.dashboard.test_enquiries import taken_in

_NEXT = ("/reservations/new?unitId=", "/reservation-links/new?unitId=", "/viewings/new?unitId=")


def test_a_free_room_is_booked_offered_or_shown_from_its_row(office: Browser, cast: Cast) -> None:
    page = office.get("/rooms?moveInDate=2026-12-16&months=6&lang=en").text
    for address in _NEXT:
        assert f"{address}{cast.sumida.free_room_id}" in page
        assert f"{address}{cast.sumida.residents_room_id}" not in page
        assert f"{address}{cast.sumida.owners_room_id}" not in page
    assert "contractEndDate=2027-06-15" in page


@pytest.mark.parametrize(
    ("asked", "is_found"),
    [
        ("rentMax=93000", True),
        ("rentMax=92999", False),
        ("traits=pets", False),
        ("q=Kawasemi", True),
        ("q=ペット可", False),
        ("stationMinutes=1", False),
    ],
)
def test_only_rooms_that_say_what_is_wished_for_are_found(
    office: Browser, cast: Cast, asked: str, is_found: bool
) -> None:
    page = office.get(f"/rooms?moveInDate=2026-12-16&months=6&{asked}").text
    assert (f"/reservations/new?unitId={cast.sumida.free_room_id}" in page) is is_found


def test_pets_and_the_way_to_a_station_are_read_from_the_listing(
    office: Browser, cast: Cast, database: Database
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        key = cast.sumida.workspace_id
        session.get_one(Unit, (key, cast.sumida.free_room_id)).features = ["ペット可"]
        house = session.get_one(Building, (key, cast.sumida.building_id))
        house.access_ja = "押上駅から徒歩7分"
    asked = "/rooms?moveInDate=2026-12-16&traits=pets&stationMinutes="
    assert cast.sumida.free_room_id in office.get(f"{asked}7").text
    assert cast.sumida.free_room_id not in office.get(f"{asked}6").text


def test_the_wishes_of_an_enquiry_are_filled_in_and_carried_to_the_booking_which_wins_it(
    office: Browser, cast: Cast, database: Database
) -> None:
    path = taken_in(office, message="Is there a room under 95000 yen with a pet?")
    enquiry_id = path.rpartition("/")[2]
    found = office.get(f"/rooms?enquiryId={enquiry_id}").text
    for text in ('value="2026-12-01"', 'value="95000"', 'value="pets" checked', "For 林 光"):
        assert text in found, text
    asked = f"/rooms?moveInDate=2026-12-16&months=12&enquiryId={enquiry_id}"
    assert f"enquiryId={enquiry_id}" in office.get(asked).text
    form = fields_of(
        office.get(
            f"/reservations/new?unitId={cast.sumida.free_room_id}"
            f"&moveInDate=2026-12-16&enquiryId={enquiry_id}"
        ).text
    )
    assert (form["name"], form["email"], form["phone"]) == (
        "林 光",
        "hikaru@example.jp",
        "090-1234-5678",
    )
    assert office.post("/reservations/new", form).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        stored = session.get_one(Enquiry, (cast.sumida.workspace_id, enquiry_id))
        assert stored.state is EnquiryState.WON


def test_who_waits_is_carried_to_the_offer_and_the_booking_ends_the_waiting(
    office: Browser, cast: Cast, clock: FixedClock, database: Database
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        wanted = WaitlistWish(name="田中", email="t@example.jp", wanted_from_on=date(2026, 12, 16))
        place_id = add_to_waitlist(Work(session, clock, "staff"), wanted=wanted)
    page = office.get(f"/rooms?placeId={place_id}").text
    assert 'value="2026-12-16"' in page
    unit = f"unitId={cast.sumida.free_room_id}&placeId={place_id}&moveInDate=2026-12-16"
    assert 'value="t@example.jp"' in office.get(f"/reservation-links/new?{unit}").text
    form = fields_of(office.get(f"/reservations/new?{unit}").text)
    assert office.post("/reservations/new", form).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        assert waiting_person(session, place_id).state is WaitlistState.CLOSED


def test_somebody_known_is_filled_in_a_new_contract(office: Browser, cast: Cast) -> None:
    unit = f"unitId={cast.sumida.free_room_id}&residentId={cast.sumida.resident_id}"
    assert fields_of(office.get(f"/reservations/new?{unit}").text)["name"] == "佐藤 花子"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("moveInDate=soon", 422),
        ("moveInDate=2026-12-16&contractEndDate=2026-12-01", 422),
        ("moveInDate=2026-12-16&rentMax=cheap", 422),
        ("moveInDate=2026-12-16&months=7", 422),
        ("moveInDate=2026-12-16&stationMinutes=0", 422),
        ("traits=garden&moveInDate=2026-12-16", 422),
        ("enquiryId=nobody", 404),
        ("placeId=nobody", 404),
        ("movingId=nobody", 404),
    ],
)
def test_what_cannot_be_read_is_answered_with_the_reason(
    office: Browser, asked: str, answer: int
) -> None:
    assert office.get(f"/rooms?{asked}").status_code == answer


def test_the_demo_a_hundred_times_is_asked_in_as_few_questions_as_four_rooms(
    office: Browser, cast: Cast, database: Database
) -> None:
    asked = "/rooms?moveInDate=2026-12-16&months=12&traits=pets&every=y"
    with statements() as few:
        assert office.get(asked).status_code == 200
    _grow(database, cast, 6_600)
    with statements() as many:
        page = office.get(asked)
    assert "3300 free rooms" in page.text
    assert len(many) <= len(few) + 3, "the names and rows of the residents on the page"
    assert len(many) <= 25
    with statements() as further:
        assert office.get(f"{asked}&page=2").status_code == 200
    assert len(further) <= len(many) - 4, "the rooms are not decided about again"


def _grow(database: Database, cast: Cast, count: int) -> None:
    """Add rooms that allow pets, every second with a resident who stays."""
    workspace_id, home = cast.sumida.workspace_id, cast.sumida
    with database.writing(workspace_id) as session:
        unit = session.get_one(Unit, (workspace_id, home.free_room_id))
        stay = session.get_one(Reservation, (workspace_id, home.resident_id))
        units, stays = [], []
        for number in range(count):
            units.append(_copy(unit, name=f"P{number}", slug=f"p{number}", features=["ペット可"]))
            units[-1]["name_key"] = f"p{number}"
            if number % 2:
                further = {"reference": f"R{number}", "unit_id": units[-1]["id"]}
                stays.append(_copy(stay, **further))
        session.execute(insert(Unit), units)
        session.execute(insert(Reservation), stays)


def _copy(row: Any, **changed: Any) -> dict[str, Any]:
    columns = {each.key: getattr(row, each.key) for each in type(row).__table__.columns}
    known = {name for name in ("payment_reference",) if name in columns}
    given = {name: value for name, value in changed.items() if name in columns}
    return {**columns, "id": new_id(), **dict.fromkeys(known), **given}
