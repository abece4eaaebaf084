"""Reporting a problem from where one stands, and what becomes of the report."""

import io
from typing import Any

import pytest
from PIL import Image

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.lists import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import RequestState
from pms.upkeep.request_lists import RequestRecord, RequestSearch, request_list
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.upkeep.works import Works

EVERYTHING = RequestSearch(state=None)


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida."""
    return Works(database, clock, cast.sumida)


def picture() -> tuple[io.BytesIO, str]:
    """A photo as a phone sends it."""
    file = io.BytesIO()
    Image.new("RGB", (640, 480), "teal").save(file, "JPEG")
    file.seek(0)
    return file, "leak.jpg"


def reports(session: WorkspaceSession) -> list[RequestRecord]:
    return list(request_list(session, EVERYTHING, Paging(1, 50)).requests)


def test_a_housekeeper_reports_with_a_photo_and_sees_only_that_it_was_sent(
    housekeeper: Browser, works: Works
) -> None:
    page = housekeeper.get("/requests/new?lang=en").text
    assert "Kawasemi House" in page, "the only building needs no choosing"
    fields = {
        "buildingId": works.house.building_id,
        "unitId": works.house.residents_room_id,
        "what": "窓が閉まらない",
        "once": "tap-1",
    }
    for _ in range(3):
        answer = housekeeper.post("/requests/new", {**fields, "photo": picture()})
        assert answer.status_code == 303
        assert answer.location.endswith("/requests/new")
    with works.writing() as session:
        (report,) = reports(session)
    assert report.what == "窓が閉まらない"
    assert "窓が閉まらない" in housekeeper.get("/requests/new").text, "among their own"
    assert housekeeper.get("/requests").status_code == 403
    assert housekeeper.get(f"/requests/{report.id}").status_code == 403


def test_what_is_refused_comes_again_with_everything_typed(
    maintainer: Browser, works: Works
) -> None:
    fields: dict[str, Any] = {"buildingId": works.house.building_id, "unitId": "", "what": "水漏れ"}
    answer = maintainer.post("/requests/new?lang=en", fields)
    assert answer.status_code == 422
    assert "水漏れ" in answer.text
    assert "Choose one." in answer.text
    fields |= {"unitId": "shared", "photo": (io.BytesIO(b"no picture"), "x.jpg")}
    assert maintainer.post("/requests/new?lang=en", fields).status_code == 422


def test_who_reads_reports_goes_on_to_theirs(maintainer: Browser, works: Works) -> None:
    fields = {"buildingId": works.house.building_id, "unitId": "shared", "what": "廊下の電球"}
    answer = maintainer.post("/requests/new", fields)
    page = maintainer.get(answer.location.removeprefix(maintainer.home) + "?lang=en").text
    assert "廊下の電球" in page
    assert "Shared areas" in page


def test_what_is_known_of_a_unit_is_told_before_it_is_reported_again(
    housekeeper: Browser, works: Works
) -> None:
    works.report("シャワーが止まらない")
    unit_id = works.house.residents_room_id
    asked = f"/requests/new?buildingId={works.house.building_id}&unitId={unit_id}&lang=en"
    block = housekeeper.block(asked).text
    assert "Already reported here" in block
    assert "シャワーが止まらない" in block
    assert "<html" not in block
    elsewhere = f"/requests/new?unitId={works.house.free_room_id}"
    assert "シャワーが止まらない" not in housekeeper.block(elsewhere).text


def test_the_inbox_shows_what_is_open_and_finds_the_rest(maintainer: Browser, works: Works) -> None:
    works.report("水漏れ")
    works.report("水漏れ二回目")
    works.fold(works.report("給湯器"))
    page = maintainer.get("/requests?lang=en").text
    assert "水漏れ" in page
    assert "Others from this unit: 1" in page
    assert "給湯器" not in page
    assert "PRJ-0001" in maintainer.get("/requests?state=folded").text
    assert "二回目" in maintainer.get("/requests?search=二回").text
    assert "No matching reports" in maintainer.get("/requests?search=xyz&lang=en").text
    assert maintainer.get("/requests?state=lost").status_code == 422


def test_several_reports_fold_into_a_new_project_in_two_steps(
    maintainer: Browser, works: Works
) -> None:
    first, second = works.report("水漏れ"), works.report("天井のしみ")
    page = maintainer.get(f"/requests/fold?requestIds={first}&lang=en").text
    assert "天井のしみ" in page, "the other of the unit is offered"
    answer = maintainer.post(
        "/requests/fold", {"requestIds": [first, second], "projectId": "new", "title": "配管"}
    )
    assert answer.status_code == 303
    project = maintainer.get(answer.location.removeprefix(maintainer.home) + "?lang=en").text
    assert "PRJ-0001 配管" in project
    assert works.request(first).state == works.request(second).state == RequestState.FOLDED
    again = maintainer.post(
        "/requests/fold?lang=en", {"requestIds": [first], "projectId": "new", "title": "x"}
    )
    assert again.status_code == 422
    assert "report was added to another project in the" in again.text


def test_a_report_joins_an_open_project_of_the_building(maintainer: Browser, works: Works) -> None:
    project_id, request_id = works.open("屋根"), works.report()
    assert "PRJ-0001 屋根" in maintainer.get(f"/requests/fold?requestIds={request_id}").text
    answer = maintainer.post("/requests/fold", {"requestIds": request_id, "projectId": project_id})
    assert answer.location.endswith(f"/projects/{project_id}")


def test_a_report_is_taken_out_of_its_project(maintainer: Browser, works: Works) -> None:
    request_id = works.report()
    project_id = works.fold(request_id)
    assert maintainer.post(f"/requests/{request_id}/unfolding").status_code == 303
    assert project_id not in maintainer.get(f"/requests/{request_id}").text
    assert maintainer.post(f"/requests/{request_id}/unfolding").status_code == 422


def test_folding_nothing_or_what_is_elsewhere_is_not_found(
    maintainer: Browser, stranger: Browser, works: Works
) -> None:
    assert maintainer.get("/requests/fold").status_code == 303
    assert "Choose at least one report first." in maintainer.get("/requests?lang=en").text
    assert maintainer.post("/requests/fold", {}).status_code == 404
    request_id = works.report()
    assert stranger.get(f"/requests/fold?requestIds={request_id}").status_code == 404
    assert stranger.get(f"/requests/{request_id}").status_code == 404


def test_a_report_is_closed_with_a_reason(maintainer: Browser, works: Works) -> None:
    request_id = works.report("電球")
    path = f"/requests/{request_id}/closure"
    assert maintainer.get(path).status_code == 200
    assert maintainer.post(path, {"because": ""}).status_code == 422
    assert maintainer.post(path, {"because": "交換済み"}).status_code == 303
    assert "交換済み" in maintainer.get(f"/requests/{request_id}").text
    assert maintainer.post(path, {"because": "もう一度"}).status_code == 422


def test_who_the_resident_is_stands_there_for_the_office_alone(
    office: Browser, maintainer: Browser, works: Works
) -> None:
    request_id = works.report(
        "お湯が出ない", reservation_id=works.house.resident_id, may_enter=True
    )
    assert "佐藤 花子" in office.get(f"/requests/{request_id}").text
    page = maintainer.get(f"/requests/{request_id}?lang=en").text
    assert "佐藤" not in page
    assert "101" in page
    project_id = works.fold(request_id)
    assert "佐藤" not in maintainer.get(f"/projects/{project_id}").text
    assert "佐藤" not in maintainer.get("/requests?state=all").text


def test_photos_are_added_to_a_report(maintainer: Browser, works: Works) -> None:
    request_id = works.report()
    path = f"/requests/{request_id}/photos"
    assert maintainer.post(path, {}).status_code == 422
    assert maintainer.post(path, {"photo": picture()}).status_code == 303
    assert "upkeep-photos/" in maintainer.get(f"/requests/{request_id}").text


def test_ten_times_the_reports_ask_the_database_as_often(office: Browser, works: Works) -> None:
    def asked_with(more: int) -> int:
        for number in range(more):
            works.report(f"{number}")
        with statements() as sent:
            assert office.get("/requests").status_code == 200
        return len(sent)

    asked_with(1)  # what a first visit asks besides
    assert asked_with(3) == asked_with(30) <= 12
