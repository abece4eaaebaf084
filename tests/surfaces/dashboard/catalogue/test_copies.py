"""What is typed by hand is typed once: the next unit, copies, addresses of postcodes, templates."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from flask import Flask

from pms.catalogue.postcodes import HAS_POSTCODES, places_of, read_places
from pms.catalogue.records import unit_fee_records, unit_record
from pms.catalogue.units import set_unit_fees, unit_names
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.surfaces.dashboard.buildings import BuildingForm, fill_place
from tests.cast import Cast, fee
from tests.staff import Browser
from tests.surfaces.dashboard.catalogue.forms import fields_of


@pytest.fixture
def room_with_fee(database: Database, clock: FixedClock, cast: Cast) -> str:
    room = cast.sumida.free_room_id
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(fee(code="utilities", is_monthly=True))
        session.flush()
        work = Work(session, clock, "staff")
        set_unit_fees(work, unit_id=room, version=1, amounts={"utilities": 12_000})
    return room


def test_add_and_add_another_goes_on_with_the_next_number_and_the_same_fees(
    office: Browser, database: Database, cast: Cast, room_with_fee: str
) -> None:
    typed = fields_of(office.get(f"/units/new?like={room_with_fee}").text, "/units")
    assert (typed["name"], typed["rentYen"], typed["layout"]) == ("103", "93000", "1R")
    onwards = office.post("/units", typed | {"next": "y"}).headers["Location"]
    added = re.findall("like=([0-9a-f]{32})", onwards)[0]
    following = fields_of(office.get(onwards.partition(office.home)[2]).text, "/units")
    assert following["name"] == "104"
    with database.reading(cast.sumida.workspace_id) as session:
        assert unit_record(session, added).written.rent_yen == 93_000
        (one,) = [one for one in unit_fee_records(session, added) if one.code == "utilities"]
    assert one.amount_yen == 12_000


def test_a_new_unit_begins_with_what_the_last_of_its_building_has(
    office: Browser, cast: Cast
) -> None:
    opened = office.get(f"/units/new?building={cast.sumida.building_id}").text
    assert fields_of(opened, "/units")["type"] == "sharehouse"
    assert fields_of(opened, "/units")["sizeSqm"] == "12.50"
    assert office.get("/units/new?like=" + "0" * 32).status_code == 404


def test_a_building_is_copied_with_its_rooms_and_nobody_in_them(
    office: Browser, database: Database, cast: Cast, room_with_fee: str
) -> None:
    page = f"/buildings/{cast.sumida.building_id}/copy"
    typed = fields_of(office.get(page).text, "/copy")
    assert typed["name"] == ""
    assert office.post(page, typed).status_code == 422
    typed |= {"name": "カワセミ荘 二号館", "nameEn": "Kawasemi House 2"}
    answer = office.post(page, typed)
    assert answer.status_code == 303
    copied = answer.headers["Location"].rpartition("/")[2]
    with database.reading(cast.sumida.workspace_id) as session:
        names = unit_names(session, copied)
        fees = [unit_fee_records(session, one.id) for one in names]
    assert [one.name for one in names] == ["101", "102", "201", "202"]
    assert [one.amount_yen for one in fees[1] if one.code == "utilities"] == [12_000]
    assert "Available now" in office.get(f"/units/{names[0].id}?lang=en").text


def test_a_postcode_fills_what_is_empty_and_nothing_without_the_library(office: Browser) -> None:
    found = places_of("１３１-００３２")
    assert [place.address for place in found] == ["東京都墨田区東向島"] * HAS_POSTCODES
    assert len(places_of("452-0961")) == 66 * HAS_POSTCODES
    assert not places_of("999-9999")
    typed = fields_of(
        "<form action='x/place'>"
        + office.get("/postcode?postcode=1310032&address=mine").text
        + "</form>",
        "/place",
    )
    assert typed["address"] == "mine"
    assert ("墨田区" in typed["area"]) is HAS_POSTCODES


class Town(NamedTuple):
    """A town as the postcode library answers."""

    prefecture: str
    city: str
    neighborhood: str
    alternates: "Sequence[Town] | None" = None


def test_towns_that_share_a_postcode_are_offered_as_a_choice(app: Flask) -> None:
    others = [Town("愛知県", "清須市", name) for name in ("春日一番割", "春日稲荷", "春日一番割")]
    places = read_places(Town("愛知県", "清須市", "春日明河原", others))
    assert [place.address for place in places] == [
        f"愛知県清須市{name}" for name in ("春日明河原", "春日一番割", "春日稲荷")
    ]
    with app.test_request_context("/dashboard/sumida/postcode"):
        form = BuildingForm()
        assert fill_place(form, places, "") == ""
        assert (form.area.data, form.address.data) == ("清須市", None)
        assert fill_place(form, places, places[1].address) == places[1].address
        assert fill_place(form, places, places[2].address) == "愛知県清須市春日稲荷"
        assert form.address.data == "愛知県清須市春日稲荷"
        form.address.data = "愛知県清須市春日稲荷1-2"
        fill_place(form, places, places[0].address)
        assert form.address.data == "愛知県清須市春日稲荷1-2"
    crossing = read_places(Town("愛知県", "弥富市", "", [Town("三重県", "桑名郡木曽岬町", "")]))
    with app.test_request_context("/dashboard/sumida/postcode"):
        form = BuildingForm()
        assert fill_place(form, crossing, "") == ""
        assert (form.area.data, form.address.data) == (None, None)


def test_sheets_to_fill_in_are_offered_in_both_languages(office: Browser) -> None:
    assert office.get("/import").text.count("/import/templates/units-") == 2
    kept = office.get("/import/templates/takeover-en.xlsx")
    assert kept.data.startswith(b"PK")
    assert office.get("/import/templates/nothing-en.xlsx").status_code == 404
