"""A task is cancelled from its page and brought back; taps that waited are told."""

import pytest
from sqlalchemy import delete

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.upkeep.models import Task
from pms.upkeep.task_record import TaskRecord, task_record
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.tasks import cancel_task
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.test_tasks import JSON, picture
from tests.upkeep.task_desk import EVERYTHING, OFFICE, added, read
from tests.upkeep.works import Works


@pytest.fixture
def task_id(database: Database, clock: FixedClock, cast: Cast) -> str:
    """A cleaning of room 102 that nobody has."""
    return added(database, clock, cast.sumida)


def cancel(office: Browser, task_id: str) -> None:
    asked = {"reason": "二重に登録した", "moves": "0"}
    answer = office.post(f"/tasks/{task_id}/cancellation", asked)
    assert (answer.status_code, answer.headers["Location"][-32:]) == (303, task_id)


def test_the_office_cancels_with_a_reason_and_the_undo_bar_brings_it_back(
    office: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    assert f"/tasks/{task_id}/cancellation" in office.get(f"/tasks/{task_id}").text
    path = f"/tasks/{task_id}/cancellation"
    assert "Cancel this task?" in office.get(f"{path}?lang=en").text
    assert office.post(path, {"reason": " "}).status_code == 422
    cancel(office, task_id)
    page = office.get(f"/tasks/{task_id}?lang=en").text
    assert "二重に登録した" in page
    assert page.count(f"/tasks/{task_id}/restoration") == 2
    assert "/moves" not in page
    assert task_id not in office.get("/work").text
    assert office.post(f"/tasks/{task_id}/restoration").status_code == 303
    assert read(database, cast.sumida, task_id).cancelled_at is None
    assert task_id in office.get("/work").text


def test_somebody_on_site_cancels_and_moves_what_they_added_alone(
    housekeeper: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    assert "cancellation" not in housekeeper.get(f"/tasks/{task_id}").text
    assert 'name="unitId"' not in housekeeper.get(f"/tasks/{task_id}/edit").text
    refused = housekeeper.post(f"/tasks/{task_id}/cancellation?lang=en", {"reason": "x"})
    assert refused.status_code == 422
    assert "Ask the office" in refused.text
    house = cast.sumida
    made = {"kind": "cleaning", "buildingId": house.building_id, "unitId": house.free_room_id}
    own = housekeeper.post("/tasks", made).headers["Location"][-32:]
    moved = {"unitId": house.residents_room_id, "version": "1", "was.unitId": house.free_room_id}
    assert housekeeper.post(f"/tasks/{own}/edit", moved).status_code == 303
    assert read(database, house, own).place.unit_id == house.residents_room_id
    assert housekeeper.post(f"/tasks/{own}/cancellation", {"reason": "x"}).status_code == 303
    assert read(database, house, own).cancelled_at is not None


def test_taps_that_waited_while_the_task_was_cancelled_are_told_and_not_lost(
    office: Browser, housekeeper: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    point = read(database, cast.sumida, task_id).points[0].id
    cancel(office, task_id)
    before = read(database, cast.sumida, task_id)
    waited = (
        ("moves", {"state": "done", "moves": "0", "note": "済み"}),
        (f"points/{point}", {"ticked": "1"}),
        ("notes", {"text": "鍵がない"}),
        ("photos", {"photo": (picture(), "a.jpg")}),
    )
    for path, tap in waited:
        answer = housekeeper.post(f"/tasks/{task_id}/{path}?lang=en", tap, headers=JSON)
        assert answer.status_code == 409, path
        assert "cancelled this task" in answer.get_json()["error"]
    assert housekeeper.post(f"/tasks/{task_id}/moves?lang=en", waited[0][1]).status_code == 422
    card = f"/tasks/{task_id}/moves?view=board&lang=en"
    tapped = housekeeper.post(card, waited[0][1], headers={"HX-Request": "true"})
    assert "cancelled this task" in tapped.text
    assert read(database, cast.sumida, task_id) == before


def test_taps_that_waited_for_a_task_that_is_gone_are_told_plainly(
    housekeeper: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(delete(Task).where(Task.id == task_id))
    for path in ("moves", "notes", "photos"):
        tap = {"state": "done", "text": "x", "photo": (picture(), "a.jpg")}
        answer = housekeeper.post(f"/tasks/{task_id}/{path}?lang=en", tap, headers=JSON)
        assert answer.status_code == 404
        assert "was removed" in answer.get_json()["error"], path


def test_a_project_that_ends_with_open_tasks_says_so_and_asks(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    works = Works(database, clock, cast.sumida)
    project_id = works.open()
    task_id = added(database, clock, cast.sumida, project_id=project_id)
    path = f"/projects/{project_id}/end"
    asked = office.get(f"{path}?into=done&lang=en").text
    assert "closed and removed from the board: 1" in asked
    assert "Keep it open" in asked
    assert office.post(path, {"into": "done"}).status_code == 422
    assert office.post(path, {"into": "done", "closes": "1"}).status_code == 303
    assert read(database, cast.sumida, task_id).cancelled_at is not None
    assert "Cancelled" in office.get(f"/projects/{project_id}?lang=en").text


def test_a_task_that_is_added_meanwhile_is_not_closed_unseen(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    project_id = Works(database, clock, cast.sumida).open()
    tasks = [added(database, clock, cast.sumida, project_id=project_id)]
    path = f"/projects/{project_id}/end"
    assert 'name="closes" value="1"' in office.get(f"{path}?into=done").text
    tasks.append(added(database, clock, cast.sumida, project_id=project_id))
    again = office.post(f"{path}?lang=en", {"into": "done", "closes": "1"})
    assert again.status_code == 422
    assert "removed from the board: 2" in again.text
    assert 'name="closes" value="2"' in again.text
    assert not any(read(database, cast.sumida, one).cancelled_at for one in tasks)
    assert office.post(path, {"into": "done", "closes": "2"}).status_code == 303
    assert all(read(database, cast.sumida, one).cancelled_at for one in tasks)
    assert office.post("/projects/foo/end", {"into": "done", "closes": "2"}).status_code == 404


def test_a_cancelled_task_is_neither_counted_nor_offered(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    project_id = Works(database, clock, cast.sumida).open()
    gone, stays = (
        added(database, clock, cast.sumida, project_id=project_id, title=title)
        for title in ("二重", "窓拭き")
    )
    counted = '<span class="count">{}</span>'
    assert counted.format(2) in office.get(f"/projects/{project_id}").text
    cancel(office, gone)
    page = office.get(f"/projects/{project_id}").text
    assert "二重" in page
    assert counted.format(2) not in page
    assert counted.format(1) in page
    for form in ("hours", "purchases"):
        path = f"/projects/{project_id}/{form}/new"
        offered = office.get(path).text
        assert f'value="{stays}"' in offered
        assert f'value="{gone}"' not in offered
        day = clock.today().isoformat()
        typed = {"workedOn": day, "minutes": "1", "what": "布", "amountYen": "100"}
        typed |= {"boughtOn": day, "category": "repair", "taskId": gone}
        assert office.post(path, typed).status_code == 422


def test_an_edit_of_a_task_that_is_cancelled_in_that_moment_is_refused_plainly(
    office: Browser,
    database: Database,
    clock: FixedClock,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task_id = added(database, clock, cast.sumida)

    def seen_before(session: WorkspaceSession, id_: str, visibility: TaskVisibility) -> TaskRecord:
        found = task_record(session, id_, visibility)
        with database.writing(cast.sumida.workspace_id) as other:
            cancel_task(
                Work(other, clock, OFFICE), task_id=id_, reason="二重", visibility=EVERYTHING
            )
        monkeypatch.setattr("pms.upkeep.task_record.task_record", task_record)
        return found

    monkeypatch.setattr("pms.upkeep.task_record.task_record", seen_before)
    unit_id = cast.sumida.free_room_id
    typed = {"version": "1", "was.title": "", "title": "窓も", "was.unitId": unit_id}
    answer = office.post(f"/tasks/{task_id}/edit?lang=en", typed | {"unitId": unit_id})
    assert answer.status_code == 422
    assert "窓も" in answer.text
    assert read(database, cast.sumida, task_id).title is None
