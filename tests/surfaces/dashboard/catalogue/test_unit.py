"""One unit: facts for everybody, money and people for the office, edits that lose nothing."""

import pytest

from pms.foundation.database import Database
from pms.foundation.ids import new_id
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.catalogue.forms import fields_of


@pytest.fixture
def page(cast: Cast) -> str:
    return f"/units/{cast.sumida.free_room_id}"


def opened(browser: Browser, page: str) -> dict[str, str]:
    return fields_of(browser.get(f"{page}/facts?lang=en").text, "/facts")


def test_the_office_sees_facts_price_and_why(office: Browser, cast: Cast, page: str) -> None:
    text = office.get(f"{page}?lang=en").text
    assert "Kawasemi House 102" in text
    assert "¥98,000" in text  # rent and the monthly fee
    assert "The unit is vacant" in text
    occupied = office.get(f"/units/{cast.sumida.residents_room_id}?lang=en").text
    assert "no notice given. The contract end on 31 March 2027 alone does not end" in occupied
    assert f"/reservations/{cast.sumida.resident_id}" in occupied
    guests = office.get(f"/units/{cast.sumida.guests_room_id}?lang=en").text
    assert "blocked" in guests


def test_who_works_on_site_sees_facts_and_no_money(
    housekeeper: Browser, maintainer: Browser, cast: Cast
) -> None:
    for browser in (housekeeper, maintainer):
        page = browser.get(f"/units/{cast.sumida.residents_room_id}?lang=en").text
        text = page.partition("<main")[2]  # the menu names the areas
        assert "12.50 m²" in text
        assert "Occupied" in text
        for hidden in (
            "93,000",
            "Price",
            "contract",
            "Reservations",
            "佐藤",
            cast.sumida.resident_id,
        ):
            assert hidden not in text
        for part in ("facts", "fees", "reservations", "blocks", "photos"):
            address = f"/units/{cast.sumida.residents_room_id}/{part}"
            assert browser.get(address).status_code == 403
            assert browser.post(address).status_code in (403, 405)


def test_a_unit_is_added_in_its_building(office: Browser, cast: Cast) -> None:
    typed = {"building": cast.sumida.building_id, "name": "３０１", "type": "apartment"}
    answer = office.post("/units", {**typed, "rentYen": "８６，０００", "sizeSqm": "２５．4"})
    assert answer.status_code == 303
    text = office.get(answer.headers["Location"].partition(office.home)[2] + "?lang=en").text
    assert "¥86,000" in text
    assert "25.40 m²" in text
    assert "Unit added." in text


def test_what_cannot_be_accepted_comes_back_as_it_was_typed(office: Browser, cast: Cast) -> None:
    typed = {"building": cast.sumida.building_id, "name": "102", "type": "apartment"}
    answer = office.post("/units?lang=en", {**typed, "rentYen": "¥86,000"})
    assert answer.status_code == 422
    assert 'value="¥86,000"' in answer.text
    assert "Whole yen only" in answer.text
    taken = office.post("/units?lang=en", {**typed, "rentYen": "86000"})
    assert taken.status_code == 422
    assert 'href="#name"' in taken.text


def test_an_edit_is_saved_and_told(office: Browser, page: str) -> None:
    typed = {**opened(office, page), "rentYen": "90,000", "features": "エアコン\n机"}
    answer = office.post(f"{page}/facts", typed)
    assert answer.status_code == 303
    text = office.get(f"{page}?lang=en").text
    assert "¥90,000" in text
    assert "Saved." in text


def test_changes_of_different_fields_merge_by_themselves(
    office: Browser, operator: Browser, page: str
) -> None:
    mine, theirs = opened(office, page), opened(operator, page)
    operator.post(f"{page}/facts", {**theirs, "floor": "7"})
    assert office.post(f"{page}/facts?lang=en", {**mine, "rentYen": "88000"}).status_code == 303
    text = office.get(f"{page}?lang=en").text
    assert "¥88,000" in text
    assert "<dd>7</dd>" in text
    assert "A colleague&#39;s changes were kept: Floor." in text


def test_a_field_both_changed_waits_for_a_choice(
    office: Browser, operator: Browser, page: str
) -> None:
    mine, theirs = opened(office, page), opened(operator, page)
    operator.post(f"{page}/facts", {**theirs, "rentYen": "91000", "floor": "7"})
    typed = {**mine, "rentYen": "88000", "layout": "1DK"}
    shown = office.post(f"{page}/facts?lang=en", typed)
    assert shown.status_code == 422
    for value in ("Apply my change", "¥88,000", "Keep theirs", "¥91,000", "小川 智子", "2026"):
        assert value in shown.text
    again = fields_of(shown.text, "/facts")
    assert (again["layout"], again["floor"], again["rentYen"]) == ("1DK", "7", "88000")
    assert office.post(f"{page}/facts", again).status_code == 422
    assert office.post(f"{page}/facts", {**again, "keep.rentYen": "mine"}).status_code == 303
    text = office.get(f"{page}?lang=en").text
    assert "¥88,000" in text
    assert "1DK" in text


def test_theirs_may_be_taken(office: Browser, operator: Browser, page: str) -> None:
    mine, theirs = opened(office, page), opened(operator, page)
    operator.post(f"{page}/facts", {**theirs, "rentYen": "91000"})
    shown = office.post(f"{page}/facts", {**mine, "rentYen": "88000", "layout": "1DK"})
    again = {**fields_of(shown.text, "/facts"), "keep.rentYen": "theirs"}
    assert office.post(f"{page}/facts", again).status_code == 303
    text = office.get(f"{page}?lang=en").text
    assert "¥91,000" in text
    assert "1DK" in text


def test_a_choice_made_on_values_that_changed_again_is_asked_anew(
    office: Browser, operator: Browser, page: str
) -> None:
    mine, theirs = opened(office, page), opened(operator, page)
    operator.post(f"{page}/facts", {**theirs, "rentYen": "91000"})
    shown = office.post(f"{page}/facts", {**mine, "rentYen": "88000"})
    again = {**fields_of(shown.text, "/facts"), "keep.rentYen": "mine"}
    operator.post(f"{page}/facts", {**opened(operator, page), "rentYen": "92000"})
    asked = office.post(f"{page}/facts", again)
    assert asked.status_code == 422
    assert "¥92,000" in asked.text


def test_a_form_without_what_it_showed_overwrites_nothing(
    office: Browser, operator: Browser, page: str
) -> None:
    operator.post(f"{page}/facts", {**opened(operator, page), "rentYen": "91000"})
    bare = {"name": "102", "type": "sharehouse", "rentYen": "1", "version": "x"}
    assert office.post(f"{page}/facts", bare).status_code == 422
    assert "¥91,000" in office.get(f"{page}?lang=en").text


def test_fees_are_set_and_merge(office: Browser, operator: Browser, page: str) -> None:
    def fees(browser: Browser) -> dict[str, str]:
        return fields_of(browser.get(f"{page}/fees").text, "/fees")

    (name,) = (name for name in fees(office) if name.startswith("fees."))
    mine, theirs = fees(office), fees(operator)
    assert mine[name] == "5000"
    operator.post(f"{page}/fees", {**theirs, name: "6000"})
    assert "¥99,000" in office.get(f"{page}?lang=en").text
    shown = office.post(f"{page}/fees?lang=en", {**mine, name: "7000"})
    assert shown.status_code == 422
    assert "小川 智子" in shown.text
    taken = {**fields_of(shown.text, "/fees"), f"keep.{name}": "theirs"}
    assert office.post(f"{page}/fees", taken).status_code == 303
    assert office.post(f"{page}/fees", {**fees(office), name: ""}).status_code == 303
    assert "¥99,000" not in office.get(f"{page}?lang=en").text


def test_its_reservations_are_listed(office: Browser, cast: Cast) -> None:
    text = office.get(f"/units/{cast.sumida.residents_room_id}/reservations").text
    assert "佐藤 花子" in text
    assert "Emma" not in text


def test_days_are_blocked_and_given_back(office: Browser, page: str) -> None:
    typed = {"source": "owner_use", "firstOn": "2026-11-10", "summary": "家族"}
    assert office.post(f"{page}/blocks", typed).status_code == 303
    text = office.get(f"{page}/blocks?lang=en").text
    assert "家族" in text
    assert "Reserved" in office.get(f"{page}?lang=en").text
    ending = text.partition("/blocks/")[2].partition('"')[0]
    ended = office.post(f"/blocks/{ending}", {"lastOn": "2026-11-19"})
    assert ended.status_code == 303
    assert "Available now" in office.get(f"{page}?lang=en").text


def test_days_that_are_no_run_are_refused_beside_the_field(office: Browser, page: str) -> None:
    typed = {"source": "owner_use", "firstOn": "2026-12-05", "lastOn": "2026-12-04"}
    answer = office.post(f"{page}/blocks?lang=en", typed)
    assert answer.status_code == 422
    assert 'href="#lastOn"' in answer.text


def test_a_strangers_unit_is_none(office: Browser, cast: Cast, database: Database) -> None:
    foreign = cast.minato.free_room_id
    for unit_id in (foreign, new_id(), "x"):
        for part in ("", "/facts", "/fees", "/reservations", "/blocks", "/photos"):
            assert office.get(f"/units/{unit_id}{part}").status_code == 404
        for part in ("/facts", "/fees", "/blocks"):
            typed = {
                "name": "1",
                "type": "apartment",
                "source": "owner_use",
                "firstOn": "2026-12-05",
            }
            assert office.post(f"/units/{unit_id}{part}", typed).status_code == 404
