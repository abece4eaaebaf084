"""A new workspace is set up by a list on Today, rooms as a grid, usual fees and photos in bulk."""

import io
import re

from pms.arrivals.set_up import SetUpStep, read_set_up
from pms.catalogue.units import unit_names
from pms.foundation.database import Database
from pms.workspaces.fees import fee_records
from tests.cast import Cast, fee
from tests.sample_uploads import UPLOADS
from tests.staff import Browser
from tests.surfaces.dashboard.catalogue.forms import fields_of

GRID = {
    "c-0-name": "301",
    "c-0-type": "sharehouse",
    "c-0-rentYen": "68,000",
    "c-0-utilitiesYen": "12000",
    "c-0-sizeSqm": "9.9",
    "c-1-name": "302",
    "c-1-type": "sharehouse",
    "c-1-rentYen": "70000",
    "c-2-name": "",
    "c-2-type": "sharehouse",
}


def rooms(database: Database, cast: Cast) -> list[str]:
    with database.reading(cast.sumida.workspace_id) as session:
        return [one.name for one in unit_names(session, cast.sumida.building_id)]


def test_today_lists_what_is_not_set_up_until_it_is_hidden(
    operator: Browser, office: Browser, cast: Cast
) -> None:
    shown = operator.get("/?lang=en").text
    assert "Set up your workspace" in shown
    assert re.search(r'/settings/logo">Logo</a>', shown)
    assert "Rooms with rents and fees" not in shown
    assert "Set up your workspace" not in office.get("/?lang=en").text
    assert operator.post("/set-up").status_code == 303
    assert "Set up your workspace" not in operator.get("/?lang=en").text
    steps = operator.get("/set-up?lang=en").text
    assert "Rooms with rents and fees" in steps
    assert "Terms with the owner" in steps
    operator.post("/set-up", {"shown": "y"})
    assert "Set up your workspace" in operator.get("/?lang=en").text


def test_a_line_is_ticked_by_what_is_there(
    operator: Browser, database: Database, cast: Cast
) -> None:
    def done() -> frozenset[SetUpStep]:
        with database.reading(cast.sumida.workspace_id) as session:
            return read_set_up(session).done

    assert {SetUpStep.BUILDING, SetUpStep.ROOMS, SetUpStep.TEAM, SetUpStep.TAKEOVER} <= done()
    assert SetUpStep.PAPERS not in done()
    typed = fields_of(operator.get("/settings").text, "/settings") | {"address": "東京都墨田区1"}
    operator.post("/settings", typed)
    assert SetUpStep.PAPERS in done()


def test_rooms_are_named_by_ranges_and_shown_as_rows(office: Browser, cast: Cast) -> None:
    asked = f"building={cast.sumida.building_id}&rooms=301-303,401&rentYen=68000"
    shown = office.get(f"/units/many?{asked}&lang=en").text
    assert re.findall(r'name="c-\d-name" [^>]*value="(\d+)"', shown) == ["301", "302", "303", "401"]
    assert shown.count('value="68000"') == 4
    refused = office.get("/units/many?rooms=303-301&lang=en").text
    assert "&#39;303-301&#39; is not an ascending range" in refused


def test_the_grid_is_written_as_a_whole(office: Browser, database: Database, cast: Cast) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(fee(code="utilities", is_monthly=True))
    typed = {"building": cast.sumida.building_id, **GRID}
    wrong = office.post("/units/many?lang=en", typed | {"c-1-rentYen": "70.5"})
    assert wrong.status_code == 422
    assert "1 row cannot be read. Nothing was saved." in wrong.text
    assert 'value="70.5"' in wrong.text
    twice = office.post("/units/many?lang=en", typed | {"c-0-name": "101", "c-2-name": "302"})
    assert re.search("hese appear twice or are already in the building: 101, 302", twice.text)
    assert rooms(database, cast) == ["101", "102", "201", "202"]
    answer = office.post("/units/many?lang=en", typed)
    assert answer.status_code == 303
    assert rooms(database, cast) == ["101", "102", "201", "202", "301", "302"]
    with database.reading(cast.sumida.workspace_id) as session:
        added = unit_names(session, cast.sumida.building_id)[4]
    assert "12,000" in office.get(f"/units/{added.id}").text


def test_usual_fees_are_ticked_and_written_at_once(
    operator: Browser, database: Database, cast: Cast
) -> None:
    nothing = operator.post("/fees/preset?lang=en", {})
    assert nothing.status_code == 422
    typed = {"ticked": ["security_deposit", "key_exchange"], "c-0-key_exchange": "16500"}
    missing = operator.post("/fees/preset?lang=en", typed | {"c-0-security_deposit": ""})
    assert missing.status_code == 422
    assert operator.post("/fees/preset", typed | {"c-0-security_deposit": "100"}).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        written = {one.code: one.written for one in fee_records(session)}
    assert written["security_deposit"].category == "deposit"
    assert written["key_exchange"].amount_yen == 16_500
    assert 'value="key_exchange"' not in operator.get("/fees/preset").text


def photos_of(browser: Browser, unit_id: str) -> int:
    return len(
        set(re.findall(r"/photos/[0-9a-f]{32}/words", browser.get(f"/units/{unit_id}/photos").text))
    )


def test_photos_go_to_the_rooms_their_names_say_and_the_rest_by_hand(
    office: Browser, stranger: Browser, cast: Cast
) -> None:
    files = [
        (io.BytesIO((UPLOADS / "floor_plan.png").read_bytes()), name)
        for name in ("101_kitchen.png", "IMG_1.png")
    ]
    sent = {"building": cast.sumida.building_id, "photo": files}
    answer = office.post("/photos/many?lang=en", sent, content_type="multipart/form-data")
    assert "1 photo was assigned by its file name." in answer.text
    assert photos_of(office, cast.sumida.residents_room_id) == 1
    (token,) = re.findall(r'name="token" value="([^"]+)"', answer.text)
    by_hand = {"building": cast.sumida.building_id, "token": token}
    room = cast.sumida.free_room_id
    stranger.post("/photos/sorting", by_hand | {"place": cast.minato.free_room_id})
    assert photos_of(stranger, cast.minato.free_room_id) == 0
    office.post("/photos/sorting", by_hand | {"place": room})
    assert photos_of(office, room) == 1
