"""Buildings: the list, one of them, its owner, and a handbook whose codes stay behind a button."""

import pytest

from pms.foundation.audit import audit_events
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.rules.audit_events import AuditEvent
from tests.cast import Cast, building, handbook_page
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.surfaces.dashboard.catalogue.forms import fields_of

CODE = "48215#"


@pytest.fixture
def page(cast: Cast) -> str:
    return f"/buildings/{cast.sumida.building_id}"


@pytest.fixture
def door_id(database: Database, cast: Cast) -> str:
    with database.writing(cast.sumida.workspace_id) as session:
        row = handbook_page(
            building_id=cast.sumida.building_id,
            title_en="Back door",
            position=9,
            guarded_code=CODE,
        )
        session.add(row)
        session.flush()
        return str(row.id)


def test_the_list_asks_the_same_number_of_questions(
    database: Database, office: Browser, cast: Cast
) -> None:
    with statements() as few:
        office.get("/buildings")
    with database.writing(cast.sumida.workspace_id) as session:
        for number in range(60):
            slug = f"house-{number}"
            session.add(building(name=slug, name_en=slug, slug=slug))
    with statements() as many:
        text = office.get("/buildings?lang=en").text
    assert len(many) <= len(few)
    assert "1–50 of 61" in text


def test_a_building_is_added_found_and_edited(office: Browser) -> None:
    typed = {"name": "ひばり荘", "area": "台東区", "address": "上野1", "postcode": "1100005"}
    unread = office.post("/buildings?lang=en", typed)
    assert unread.status_code == 422
    assert "cannot be turned into a web address" in unread.text
    typed["nameKana"] = "ひばり そう"
    answer = office.post("/buildings", typed)
    assert answer.status_code == 303
    page = answer.headers["Location"].partition(office.home)[2]
    assert "ひばり荘" in office.get("/buildings?search=上野").text
    facts = fields_of(office.get(f"{page}/facts").text, "/facts")
    assert facts["postcode"] == "110-0005"
    assert office.post(f"{page}/facts", {**facts, "nameEn": "Hibari House"}).status_code == 303
    assert "Hibari House" in office.get(f"{page}?lang=en").text


def test_a_name_that_is_taken_stands_beside_its_field(office: Browser) -> None:
    typed = {"name": "シェアハウス カワセミ荘", "area": "墨田区", "address": "1"}
    answer = office.post("/buildings?lang=en", typed)
    assert answer.status_code == 422
    assert 'href="#name"' in answer.text


def test_edits_of_a_building_merge(office: Browser, operator: Browser, page: str) -> None:
    mine = fields_of(office.get(f"{page}/facts").text, "/facts")
    operator.post(f"{page}/facts", {**mine, "areaEn": "Taito"})
    clash = office.post(f"{page}/facts?lang=en", {**mine, "areaEn": "Koto", "nameEn": "K House"})
    assert clash.status_code == 422
    assert "小川 智子" in clash.text
    chosen = {**fields_of(clash.text, "/facts"), "keep.areaEn": "mine"}
    assert office.post(f"{page}/facts", chosen).status_code == 303
    text = office.get(f"{page}?lang=en").text
    assert "Koto" in text
    assert "K House" in text


def test_missing_entries_are_listed(office: Browser, page: str) -> None:
    text = office.get(f"{page}?lang=en").text
    assert "Still missing" in text
    assert "handbook/new?topic=wifi" in text


def test_the_owner_is_named_and_may_be_nobody(office: Browser, cast: Cast, page: str) -> None:
    fields = fields_of(office.get(f"{page}/owner").text, "/owner")
    assert fields["owner"] == cast.sumida.owner_id
    assert office.post(f"{page}/owner", {**fields, "owner": ""}).status_code == 303
    assert "No owner is set" in office.get(f"{page}?lang=en").text
    foreign = {**fields, "owner": cast.minato.owner_id}
    assert office.post(f"{page}/owner", foreign).status_code == 422


def test_a_code_is_shown_by_a_tap_logged_and_kept_nowhere(
    office: Browser, database: Database, cast: Cast, page: str, door_id: str
) -> None:
    assert CODE not in office.get(page).text
    shown = office.post(f"/handbook/{door_id}/code", headers={"HX-Request": "true"})
    assert CODE in shown.text
    assert "<html" not in shown.text
    assert shown.headers["Cache-Control"] == "no-store"
    whole = office.post(f"/handbook/{door_id}/code")
    assert CODE in whole.text
    assert whole.headers["Cache-Control"] == "no-store"
    assert office.get(f"/handbook/{door_id}/code").status_code == 405
    with database.reading(cast.sumida.workspace_id) as session:
        events = audit_events(session, audit_event=AuditEvent.CODE_REVEALED)
    assert events.total == 2
    assert CODE not in repr(events)


def test_who_works_on_site_sees_the_pages_and_no_code_yet(
    housekeeper: Browser, maintainer: Browser, page: str, door_id: str
) -> None:
    for browser in (housekeeper, maintainer):
        text = browser.get(f"{page}?lang=en").text
        assert "Back door" in text
        for hidden in (CODE, "Show", "山本", "93,000", "Edit"):
            assert hidden not in text
        assert browser.post(f"/handbook/{door_id}/code").status_code == 403
        for address in ("/buildings", f"{page}/owner", f"{page}/facts", f"/handbook/{door_id}"):
            assert browser.get(address).status_code == 403


def test_an_edit_keeps_the_code_unless_told(office: Browser, door_id: str) -> None:
    address = f"/handbook/{door_id}"
    fields = fields_of(office.get(address).text, address)
    assert CODE not in office.get(address).text
    office.post(address, {**fields, "bodyEn": "Ring first."})
    assert CODE in office.post(f"{address}/code").text
    fields = fields_of(office.get(address).text, address)
    office.post(address, {**fields, "guardedCode": "77"})
    assert "77" in office.post(f"{address}/code").text
    fields = fields_of(office.get(address).text, address)
    office.post(address, {**fields, "codeChange": "drop"})
    assert office.post(f"{address}/code").status_code == 404


def test_two_new_codes_do_not_silently_replace_each_other(
    office: Browser, operator: Browser, door_id: str
) -> None:
    address = f"/handbook/{door_id}"
    fields = fields_of(office.get(address).text, address)
    operator.post(address, {**fields, "guardedCode": "11"})
    refused = office.post(f"{address}?lang=en", {**fields, "guardedCode": "22"})
    assert refused.status_code == 422
    assert "A colleague changed the code" in refused.text
    again = {**fields_of(refused.text, address), "guardedCode": "22"}
    assert office.post(address, again).status_code == 303
    assert "22" in office.post(f"{address}/code").text


def test_pages_are_added_and_removed_after_a_check(office: Browser, page: str) -> None:
    typed = {"topic": "wifi", "titleJa": "無線", "titleEn": "Wireless", "guardedCode": "sora-1"}
    assert office.post(f"{page}/handbook", typed).status_code == 303
    text = office.get(f"{page}?lang=en").text
    assert "Wireless" in text
    assert "sora-1" not in text
    page_id = text.partition("Wireless")[2].partition("/handbook/")[2][:32]
    assert "cannot be restored" in office.get(f"/handbook/{page_id}/removal?lang=en").text
    assert office.post(f"/handbook/{page_id}/removal").status_code == 303
    assert "Wireless" not in office.get(f"{page}?lang=en").text


def test_a_page_needs_a_title(office: Browser, page: str) -> None:
    answer = office.post(f"{page}/handbook?lang=en", {"topic": "other", "bodyJa": "x"})
    assert answer.status_code == 422
    assert 'href="#titleJa"' in answer.text
    assert 'Title in Japanese <span class="optional">one of these is required' in answer.text


def test_a_strangers_building_and_page_are_none(office: Browser, cast: Cast) -> None:
    for building_id in (cast.minato.building_id, new_id(), "x"):
        for part in ("", "/facts", "/owner", "/photos", "/handbook/new"):
            assert office.get(f"/buildings/{building_id}{part}").status_code == 404
    for part in ("", "/removal"):
        assert office.get(f"/handbook/{new_id()}{part}").status_code == 404
    assert office.post(f"/handbook/{new_id()}/code").status_code == 404


def test_an_address_is_proposed_changed_and_the_old_one_listed(
    office: Browser, database: Database, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        row = building(
            name="青葉ハイツ", name_en=None, name_kana="アオバ ハイツ", slug="building-5"
        )
        session.add(row)
        session.flush()
        page = f"/buildings/{row.id}"
    form = fields_of(office.get(f"{page}/address").text, "/address")
    assert form["slug"] == "aoba-haitsu"
    taken = office.post(f"{page}/address?lang=en", {"slug": cast.sumida.building_slug})
    assert taken.status_code == 422
    assert "is already the address of シェアハウス カワセミ荘" in taken.text
    assert office.post(f"{page}/address", form).status_code == 303
    assert "building-5" in office.get(f"{page}/address").text
    assert "aoba-haitsu" in office.get(page).text
    unit_page = f"/units/{cast.sumida.free_room_id}/address"
    assert office.post(unit_page, {"slug": "room-102"}).status_code == 303
    assert cast.sumida.free_room_slug in office.get(unit_page).text
