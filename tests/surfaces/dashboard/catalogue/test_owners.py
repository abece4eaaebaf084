"""Owners: who owns what, who reaches a portal, edits that lose nothing."""

from pms.foundation.database import Database
from pms.foundation.ids import new_id
from tests.cast import Cast, owner
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.surfaces.dashboard.catalogue.forms import fields_of


def test_the_list_says_who_has_no_portal(office: Browser, cast: Cast) -> None:
    assert office.post("/owners", {"name": "林 誠", "locale": "ja"}).status_code == 303
    text = office.get("/owners?lang=en").text
    assert "No email address, no access" in text
    assert "Can sign in" in text
    assert f"/buildings/{cast.sumida.building_id}" in text


def test_the_list_asks_the_same_number_of_questions(
    database: Database, office: Browser, cast: Cast
) -> None:
    with statements() as few:
        office.get("/owners")
    with database.writing(cast.sumida.workspace_id) as session:
        session.add_all(owner(name=f"O{number}") for number in range(60))
    with statements() as many:
        assert "1–50 of 61" in office.get("/owners?lang=en").text
    assert len(many) <= len(few)


def test_an_owner_is_edited_and_two_edits_merge(
    office: Browser, operator: Browser, cast: Cast
) -> None:
    page = f"/owners/{cast.sumida.owner_id}"
    mine = fields_of(office.get(f"{page}/facts").text, "/facts")
    assert mine["nameKana"] == "ヤマモト シゲル"
    operator.post(f"{page}/facts", {**mine, "phone": "03-1111-2222"})
    answer = office.post(
        f"{page}/facts?lang=en", {**mine, "nameKana": "やまもと しげる", "email": ""}
    )
    assert answer.status_code == 303
    text = office.get(f"{page}?lang=en").text
    assert "03-1111-2222" in text
    assert "Without an email address no code can be" in text


def test_what_is_no_address_is_refused_beside_the_field(office: Browser) -> None:
    answer = office.post("/owners?lang=en", {"name": "林", "locale": "ja", "email": "hayashi"})
    assert answer.status_code == 422
    assert 'href="#email"' in answer.text
    phone = office.post("/owners?lang=en", {"name": "林", "locale": "ja", "phone": "call me"})
    assert 'href="#phone"' in phone.text


def test_owners_are_for_the_office(housekeeper: Browser, maintainer: Browser, cast: Cast) -> None:
    for browser in (housekeeper, maintainer):
        for address in ("/owners", f"/owners/{cast.sumida.owner_id}", "/owners/new"):
            assert browser.get(address).status_code == 403


def test_a_strangers_owner_is_none(office: Browser, cast: Cast) -> None:
    for owner_id in (cast.minato.owner_id, new_id()):
        assert office.get(f"/owners/{owner_id}").status_code == 404
        assert office.get(f"/owners/{owner_id}/facts").status_code == 404
