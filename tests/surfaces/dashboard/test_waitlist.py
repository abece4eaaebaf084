"""The waitlist's screen: who waits, what suits, what is soft; adding, offering, closing."""

from datetime import date

import pytest
from sqlalchemy import select

from pms.enquiries.models import WaitlistPlace
from pms.enquiries.waitlist import WaitlistWish, add_to_waitlist
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements

WANTED = {"name": "林 光", "email": "hikaru@example.jp", "wantedFrom": "2026-12-01"}


@pytest.fixture
def soon_free(database: Database, cast: Cast) -> None:
    """Hanako Sato in 101 said she would leave."""
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        row.expected_departure_date = date(2026, 12, 10)


def place_id(database: Database, cast: Cast) -> str:
    with database.reading(cast.sumida.workspace_id) as session:
        return session.scalars(select(WaitlistPlace.id)).one()


def test_without_anybody_it_says_so_and_names_the_next_step(office: Browser) -> None:
    text = office.get("/waitlist?lang=en").text
    assert "The waitlist is empty" in text
    assert "/waitlist/new" in text


@pytest.mark.usefixtures("soon_free")
def test_a_soft_day_is_told_as_soft_and_leads_to_no_booking(office: Browser, cast: Cast) -> None:
    text = office.get("/waitlist?lang=en").text
    assert "Kawasemi House 101" in text
    assert "may become free" in text
    assert "For the waitlist only" in text
    office.post("/waitlist", {**WANTED, "unitId": cast.sumida.residents_room_id})
    text = office.get("/waitlist?lang=en").text
    assert "林 光" in text
    assert f"unitId={cast.sumida.residents_room_id}&amp;moveInDate" not in text, "no booking"


def test_a_free_unit_suits_whoever_takes_any_and_is_booked_from_their_day(
    office: Browser, cast: Cast
) -> None:
    assert office.post("/waitlist", WANTED).status_code == 303
    text = office.get("/waitlist?lang=en").text
    assert f"unitId={cast.sumida.free_room_id}&amp;moveInDate=2026-12-01" in text


def test_what_is_refused_comes_again_with_everything_typed(office: Browser) -> None:
    answer = office.post("/waitlist?lang=en", {**WANTED, "email": "", "note": "南向き"})
    assert answer.status_code == 422
    assert "南向き" in answer.text
    assert "an email address or a telephone number" in answer.text


def test_offered_and_closed_by_a_button_each(
    office: Browser, database: Database, cast: Cast
) -> None:
    office.post("/waitlist", WANTED)
    path = f"/waitlist/{place_id(database, cast)}"
    assert office.post(f"{path}/offer").status_code == 303
    assert "Offered" in office.get("/waitlist?lang=en").text
    assert office.post(f"{path}/closure").status_code == 303
    assert office.post(f"{path}/closure").status_code == 422
    assert "林 光" not in office.get("/waitlist").text
    assert "林 光" in office.get("/waitlist?state=closed").text


def test_ten_times_the_people_ask_the_database_as_often(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    def asked_with(more: int) -> int:
        with database.writing(cast.sumida.workspace_id) as session:
            for number in range(more):
                wanted = WaitlistWish(
                    name=f"{number}",
                    phone="03-1234-5678",
                    wanted_from_on=clock.today(),
                    building_id=cast.sumida.building_id,
                )
                add_to_waitlist(Work(session, clock, "office"), wanted=wanted)
        with statements() as sent:
            assert office.get("/waitlist").status_code == 200
        return len(sent)

    asked_with(1)  # what a first visit asks besides
    assert asked_with(3) == asked_with(30) <= 14


def test_what_may_become_free_is_kept_until_a_stay_changes(
    office: Browser, database: Database, cast: Cast
) -> None:
    house = cast.sumida
    office.get("/waitlist")
    with statements() as first:
        assert "Kawasemi House 101" not in office.get("/waitlist?lang=en").text
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        row.expected_departure_date = date(2026, 12, 10)
    with statements() as after:
        assert "Kawasemi House 101" in office.get("/waitlist?lang=en").text
    assert len(first) < len(after)
