"""The list of units: the filters of the catalogue API, paged by 50, in few questions."""

import pytest

from pms.foundation.database import Database
from pms.foundation.ids import new_id
from tests.cast import Cast, reservation, unit
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements

MOST = 16


def add_units(database: Database, cast: Cast, count: int) -> None:
    """More rooms of the same house, every second one lived in."""
    with database.writing(cast.sumida.workspace_id) as session:
        for number in range(count):
            room_id = new_id()
            name = f"X{number:04}"
            session.add(unit(id=room_id, building_id=cast.sumida.building_id, name=name, slug=name))
            if number % 2:
                session.flush()
                session.add(reservation(unit_id=room_id, name=f"住人 {number}"))


@pytest.mark.differs("sorting")
def test_it_shows_each_unit_with_rent_size_and_label(office: Browser) -> None:
    text = office.get("/units?lang=en").text
    assert "Kawasemi House 102" in text
    assert "¥93,000" in text
    assert "12.50 m²" in text
    assert "Available now" in text


def test_owner_residents_are_left_out_until_the_filter_is_cleared(office: Browser) -> None:
    assert "Kawasemi House 201" not in office.get("/units?lang=en").text
    assert "Kawasemi House 201" in office.get("/units?lang=en&excludeRecords=").text


@pytest.mark.parametrize(
    ("query", "there", "gone"),
    [
        ("availableNow=1", "102", "101"),
        ("search=カワセミ", "101", None),
        ("search=nowhere", None, "101"),
        ("priceMin=93,001", None, "102"),
        ("priceMax=９３０００", "102", None),
        ("type=sharehouse", "102", None),
        ("type=apartment", None, "102"),
        ("layouts=1R,1K", "102", None),
        ("layouts=2LDK", None, "102"),
        ("bedrooms=1", "102", None),
        ("bedrooms=2", None, "102"),
        ("area=墨田区", "102", None),
        ("hasCampaign=1", "102", "101"),
        ("moveInBy=2026-11-21", "102", "101"),
        ("sort=-rent", "102", None),
    ],
)
def test_each_filter_keeps_what_it_asks_for(
    office: Browser, query: str, there: str | None, gone: str | None
) -> None:
    text = office.get(f"/units?lang=en&{query}").text
    assert there is None or f"House {there}</a>" in text
    assert gone is None or f"House {gone}</a>" not in text


def test_the_building_filter_takes_an_id(office: Browser, cast: Cast) -> None:
    assert "House 102</a>" in office.get(f"/units?lang=en&building={cast.sumida.building_id}").text


@pytest.mark.parametrize("query", ["priceMin=¥5", "type=castle", "moveInBy=soon", "bedrooms=x"])
def test_a_filter_that_cannot_be_read_is_told(office: Browser, query: str) -> None:
    answer = office.get(f"/units?lang=en&{query}")
    assert answer.status_code == 422
    assert "Nothing to show" in answer.text
    assert "<title>Error: " in answer.text


def test_htmx_gets_the_results_alone(office: Browser) -> None:
    answer = office.block("/units?search=102")
    assert "<html" not in answer.text
    assert "102</a>" in answer.text
    assert "HX-Request" in answer.headers["Vary"]


@pytest.mark.differs("sorting")
def test_many_units_are_paged_in_the_same_number_of_questions(
    database: Database, office: Browser, cast: Cast
) -> None:
    with statements() as few:
        office.get("/units?lang=en")
    add_units(database, cast, 120)
    with statements() as many:
        first = office.get("/units?lang=en&sort=price-asc").text
    assert len(many) <= len(few) <= MOST
    assert "1–50 of 123" in first
    assert "101–123 of 123" in office.get("/units?lang=en&page=3").text
    assert "page is beyond the end of the list" in office.get("/units?lang=en&page=9").text


def test_no_match_offers_to_clear_the_filters(office: Browser) -> None:
    text = office.get("/units?lang=en&search=zzz").text
    assert "No matching units" in text
    assert "Clear filters" in text


def test_who_works_on_site_has_no_list(housekeeper: Browser, maintainer: Browser) -> None:
    for browser in (housekeeper, maintainer):
        assert browser.get("/units").status_code == 403
        assert browser.get("/units/new").status_code == 403


def test_nothing_of_another_workspace_is_listed(stranger: Browser, cast: Cast) -> None:
    for question in ("", f"building={cast.sumida.building_id}"):
        assert cast.sumida.free_room_id not in stranger.get(f"/units?{question}").text
