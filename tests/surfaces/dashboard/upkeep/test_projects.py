"""A project on one page: its number, hours, purchases, cost, and how it ends."""

import io
from datetime import timedelta

import pytest
from PIL import Image

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.enumerations import FeeCategory, ProjectState
from pms.statements.owner_money import charges_of_project
from pms.upkeep.project_lines import project_hours, project_purchases
from pms.upkeep.projects import end_project
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.upkeep.task_desk import added, read
from tests.upkeep.works import ACTOR, Works


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida."""
    return Works(database, clock, cast.sumida)


def receipt() -> tuple[io.BytesIO, str]:
    """A photo of a receipt."""
    file = io.BytesIO()
    Image.new("RGB", (640, 480), "white").save(file, "JPEG")
    file.seek(0)
    return file, "receipt.jpg"


def test_a_project_opens_by_itself_once_however_often_the_button_is_pressed(
    maintainer: Browser, works: Works
) -> None:
    fields = {"buildingId": works.house.building_id, "title": "消防点検", "once": "tap-1"}
    for _ in range(3):
        assert maintainer.post("/projects/new", fields).status_code == 303
    page = maintainer.get("/projects").text
    assert "PRJ-0001" in page
    assert "PRJ-0002" not in page
    assert maintainer.post("/projects/new", {"title": ""}).status_code == 422


def test_a_project_is_found_by_its_number_and_by_words(maintainer: Browser, works: Works) -> None:
    works.open("給湯器の交換")
    works.open("屋根の修理")
    page = maintainer.get("/projects?search=prj-2").text
    assert "屋根の修理" in page
    assert "給湯器" not in page
    assert "No matching projects" in maintainer.get("/projects?search=xyz&lang=en").text
    assert maintainer.get("/projects?state=lost").status_code == 422


def test_a_task_that_is_added_on_a_project_is_part_of_it(office: Browser, works: Works) -> None:
    project_id = works.open()
    form = office.get(f"/tasks/new?projectId={project_id}&lang=en").text
    assert f'name="projectId" type="hidden" value="{project_id}"' in form
    assert f'name="buildingId" type="hidden" value="{works.house.building_id}"' in form
    typed = {"projectId": project_id, "buildingId": works.house.building_id, "kind": "repair"}
    answer = office.post("/tasks", {**typed, "title": "蛇口を締める"})
    assert answer.location.endswith(f"/projects/{project_id}")
    assert "蛇口を締める" in office.get(f"/projects/{project_id}").text


def test_a_task_is_put_into_a_project_and_taken_out_on_its_edit_page(
    office: Browser, works: Works
) -> None:
    project_id, task_id = works.open(), added(works.database, works.clock, works.house)
    assert works.open("別の工事") in office.get(f"/tasks/{task_id}/edit").text
    for chosen, found in ((project_id, project_id), ("", None)):
        version = read(works.database, works.house, task_id).version
        typed = {"projectId": chosen, "version": str(version), "title": "掃除"}
        assert office.post(f"/tasks/{task_id}/edit", typed).status_code == 303
        project = read(works.database, works.house, task_id).project
        assert (project.id if project else None) == found


def test_a_project_that_is_over_or_elsewhere_takes_no_task(office: Browser, works: Works) -> None:
    project_id, task_id = works.open(), added(works.database, works.clock, works.house)
    with works.writing() as session:
        end_project(
            Work(session, works.clock, ACTOR), project_id=project_id, into=ProjectState.DONE
        )
    with pytest.raises(Refused, match="Reopen"):
        added(works.database, works.clock, works.house, project_id=project_id)
    assert project_id not in office.get(f"/tasks/{task_id}/edit").text


def test_hours_are_logged_as_people_write_them_and_taken_back(
    maintainer: Browser, works: Works
) -> None:
    project_id = works.open()
    path = f"/projects/{project_id}/hours"
    today = works.clock.today()
    fields = {"workedOn": today.isoformat(), "minutes": "2:30", "once": "tap-1"}
    for _ in range(2):
        assert maintainer.post(f"{path}/new", fields).status_code == 303
    with works.writing() as session:
        (logged,) = project_hours(session, project_id)
    assert logged.minutes == 150
    assert "2 h 30 min" in maintainer.get(f"/projects/{project_id}?lang=en").text
    assert maintainer.post(f"{path}/{logged.id}/removal").status_code == 303
    assert "No hours yet" in maintainer.get(f"/projects/{project_id}?lang=en").text
    coming = {**fields, "workedOn": (today + timedelta(days=1)).isoformat(), "once": "tap-2"}
    refused = maintainer.post(f"{path}/new?lang=en", coming)
    assert refused.status_code == 422
    assert "Enter today or earlier" in refused.text


def test_who_sees_no_prices_is_asked_for_none_and_writes_none(
    maintainer: Browser, office: Browser, works: Works
) -> None:
    project_id = works.open()
    path = f"/projects/{project_id}/hours/new"
    assert "hourlyYen" not in maintainer.get(path).text
    assert "hourlyYen" in office.get(path).text
    fields = {"workedOn": "2026-11-20", "minutes": "1", "hourlyYen": "9000"}
    assert maintainer.post(path, fields).status_code == 303
    assert office.post(path, fields).status_code == 303
    with works.writing() as session:
        assert {one.hourly_yen for one in project_hours(session, project_id)} == {None, 9_000}
    page = maintainer.get(f"/projects/{project_id}?lang=en").text
    assert "9,000" not in page
    assert "Paid by the owner" not in page
    assert "Paid by the owner" in office.get(f"/projects/{project_id}?lang=en").text


def test_a_purchase_comes_with_its_receipt(maintainer: Browser, works: Works) -> None:
    project_id = works.open()
    path = f"/projects/{project_id}/purchases"
    fields = {
        "what": "パッキン",
        "amountYen": "３，２００",
        "boughtOn": "2026-11-20",
        "category": "repair",
        "once": "tap-1",
    }
    for _ in range(2):
        sent = maintainer.post(f"{path}/new", {**fields, "photo": receipt()})
        assert sent.status_code == 303
    page = maintainer.get(f"/projects/{project_id}").text
    assert "3,200" in page
    assert "upkeep-photos/" in page
    assert maintainer.post(f"{path}/new", {**fields, "amountYen": "1.5"}).status_code == 422
    assert maintainer.post(f"{path}/new", {**fields, "category": "rent"}).status_code == 422
    with works.writing() as session:
        (bought,) = project_purchases(session, project_id)
    assert maintainer.post(f"{path}/{bought.id}/removal").status_code == 303
    assert maintainer.post(f"{path}/nothing/removal").status_code == 404


def test_the_owner_is_charged_after_a_look_at_the_exact_amounts(
    office: Browser, maintainer: Browser, works: Works
) -> None:
    project_id = works.open("給湯器の交換")
    works.work(project_id, 90, 4_000)
    works.buy(project_id, 800, category=FeeCategory.CLEANING)
    path = f"/projects/{project_id}/charge"
    page = office.get(f"{path}?lang=en").text
    assert "Repairs: PRJ-0001 給湯器の交換" in page
    assert "6,000" in page
    assert "November 2026" in page
    assert maintainer.get(path).status_code == 403
    assert office.post(path, {}).status_code == 422
    assert office.post(path, {"charge": "repair:1"}).status_code == 422
    assert office.post(path, {"charge": "rent:" + "9" * 5_000}).status_code == 422
    both = {"charge": ["repair:6000", "cleaning:800"]}
    assert office.post(path, both).status_code == 303
    assert office.post(path, both).status_code == 422, "it is charged already"
    with works.writing() as session:
        assert sum(one.amount_yen for one in charges_of_project(session, project_id)) == 6_800
    assert "Everything has been charged" in office.get(f"/projects/{project_id}?lang=en").text
    statement = office.get(
        f"/owner-statements/2026-11/buildings/{works.house.building_id}?lang=en"
    ).text
    assert "Repairs: PRJ-0001 給湯器の交換" in statement


def test_a_project_is_done_or_called_off_after_a_look_and_reopened(
    maintainer: Browser, works: Works
) -> None:
    request_id = works.report("水漏れ")
    project_id = works.fold(request_id)
    path = f"/projects/{project_id}"
    assert "returned to the inbox: 1" in maintainer.get(f"{path}/end?into=cancelled&lang=en").text
    assert "closed with it: 1" in maintainer.get(f"{path}/end?into=done&lang=en").text
    assert maintainer.post(f"{path}/end", {"into": "done"}).status_code == 303
    assert works.project(project_id).state == ProjectState.DONE
    assert maintainer.post(f"{path}/end", {"into": "cancelled"}).status_code == 422
    refused = maintainer.post(
        f"{path}/hours/new?lang=en", {"workedOn": "2026-11-20", "minutes": "1"}
    )
    assert refused.status_code == 422
    assert "Reopen it first" in refused.text
    assert "Reports returning to it: 1" in maintainer.get(f"{path}/reopening?lang=en").text
    assert maintainer.post(f"{path}/reopening").status_code == 303
    assert works.project(project_id).is_open


def test_a_project_that_ended_with_cost_not_charged_says_so_to_the_office(
    office: Browser, maintainer: Browser, works: Works
) -> None:
    project_id = works.open()
    works.buy(project_id, 3_200)
    page, says = f"/projects/{project_id}?lang=en", "project has ended, but these costs are on"
    assert says not in office.get(page).text
    assert office.post(f"/projects/{project_id}/end", {"into": "done"}).status_code == 303
    ended = office.get(page).text
    assert says in ended
    assert "Not charged yet: ¥3,200" in ended
    assert says not in maintainer.get(page).text
    assert (
        office.post(f"/projects/{project_id}/charge", {"charge": "repair:3200"}).status_code == 303
    )
    assert says not in office.get(page).text


def test_the_title_and_the_unit_are_corrected_and_two_edits_merge(
    maintainer: Browser, works: Works
) -> None:
    project_id = works.open("屋根")
    path = f"/projects/{project_id}/edit"
    seen = {"version": "1", "was.title": "屋根", "was.description": "", "was.unitId": ""}
    saved = {**seen, "title": "屋根と雨樋", "description": "", "unitId": ""}
    assert maintainer.post(path, saved).status_code == 303
    other = {**seen, "title": "屋根", "description": "北側", "unitId": works.house.free_room_id}
    assert maintainer.post(path, other).status_code == 303
    project = works.project(project_id)
    assert (project.title, project.description) == ("屋根と雨樋", "北側")
    assert project.unit_name == "102"


def test_a_stranger_finds_no_project(stranger: Browser, works: Works) -> None:
    project_id = works.open()
    for path in ("", "/edit", "/end", "/reopening", "/hours/new", "/purchases/new", "/charge"):
        assert stranger.get(f"/projects/{project_id}{path}").status_code == 404


def test_ten_times_the_projects_ask_the_database_as_often(office: Browser, works: Works) -> None:
    def asked_with(more: int) -> int:
        for number in range(more):
            works.buy(works.open(f"{number}"), 100)
        with statements() as sent:
            assert office.get("/projects").status_code == 200
        return len(sent)

    asked_with(1)  # what a first visit asks besides
    assert asked_with(3) == asked_with(20) <= 12


def test_a_unit_and_its_building_name_the_work_that_goes_on_there(
    maintainer: Browser, housekeeper: Browser, works: Works
) -> None:
    works.open("給湯器の交換", unit_id=works.house.residents_room_id)
    works.open("屋根の修理")
    unit = f"/units/{works.house.residents_room_id}"
    building = f"/buildings/{works.house.building_id}"
    assert "給湯器の交換" in maintainer.get(unit).text
    assert "屋根の修理" not in maintainer.get(unit).text
    assert "屋根の修理" in maintainer.get(building).text
    for path in (unit, building):
        page = housekeeper.get(path).text
        assert "/requests/new?buildingId=" in page
        assert "PRJ-" not in page
