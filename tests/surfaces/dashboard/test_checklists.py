"""The checklists' screens, and the look at a finished cleaning from the task's page."""

import re

import pytest
from sqlalchemy import select, update

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.enumerations import TaskKind, TaskState
from pms.upkeep.models import ChecklistTemplate, Task
from pms.upkeep.tasks import WantedTask, add_task
from tests.cast import Cast
from tests.staff import Browser

LIST = {"kind": "cleaning", "points": ["床", "Floor", "窓", "Windows"]}


def hidden(text: str) -> dict[str, str]:
    """What the form carries unseen."""
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text)
    return {name: value for name, value in found if name not in {"csrf_token", "kind"}}


def stored(database: Database, cast: Cast) -> list[list[str]]:
    with database.reading(cast.sumida.workspace_id) as session:
        rows = session.scalars(select(ChecklistTemplate.points))
        return [[point["en"] for point in points] for points in rows]


@pytest.fixture
def cleaned(database: Database, clock: FixedClock, cast: Cast) -> str:
    """A cleaning of room 202 that is done."""
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        wanted = WantedTask(
            kind=TaskKind.CLEANING,
            building_id=house.building_id,
            unit_id=house.guests_room_id,
        )
        task_id = add_task(Work(session, clock, "office"), wanted=wanted)
        done = {"state": TaskState.DONE, "state_by": "somebody", "moves": 1}
        is_it = Task.id == task_id
        session.execute(update(Task).where(is_it).values(**done, state_since=clock.now()))
    return task_id


def test_every_kind_of_task_has_its_list(office: Browser) -> None:
    text = office.get("/checklists?lang=en").text
    assert "Move-out cleaning" in text
    assert "Count the keys" in text
    assert "This is the built-in list" in text


def test_a_step_moves_a_point_and_writes_nothing(
    office: Browser, database: Database, cast: Cast
) -> None:
    answer = office.post("/checklist?lang=en", {**LIST, "step": "down.0"})
    assert answer.status_code == 200
    assert answer.text.index('value="Windows"') < answer.text.index('value="Floor"')
    assert stored(database, cast) == []
    added = office.post("/checklist?lang=en", {**LIST, "step": "add.0"}).text
    assert "Item 3 in English" in added
    removed = office.post("/checklist?lang=en", {**LIST, "step": "remove.0"}).text
    assert 'value="Floor"' not in removed


def test_the_list_is_saved_as_it_was_ordered(
    office: Browser, database: Database, cast: Cast
) -> None:
    seen = hidden(office.get("/checklist?kind=cleaning").text)
    assert office.post("/checklist", {**seen, **LIST}).status_code == 303
    assert stored(database, cast) == [["Floor", "Windows"]]
    office.post("/checklist/removal", {"kind": "cleaning"})
    assert stored(database, cast) == []


def test_what_two_changed_is_shown_with_both(
    office: Browser, database: Database, cast: Cast
) -> None:
    seen = hidden(office.get("/checklist?kind=cleaning").text)
    office.post("/checklist", {**seen, **LIST})
    mine = {**seen, "kind": "cleaning", "points": ["鍵", "Keys"]}
    answer = office.post("/checklist?lang=en", mine)
    assert answer.status_code == 422
    assert "Keep theirs" in answer.text
    assert "床 / Floor" in answer.text
    assert stored(database, cast) == [["Floor", "Windows"]]
    again = {**hidden(answer.text), "kind": "cleaning", "points": ["鍵", "Keys"]}
    kept = office.post("/checklist", {**again, "keep.points": "mine"})
    assert kept.status_code == 303
    assert stored(database, cast) == [["Keys"]]


@pytest.mark.parametrize("query", ["kind=dance", f"buildingId={'0' * 32}", "buildingId=elsewhere"])
def test_what_is_not_here_is_not_found(office: Browser, query: str) -> None:
    assert office.get(f"/checklist?{query}").status_code == 404


def test_a_point_that_is_too_long_comes_again(office: Browser) -> None:
    answer = office.post("/checklist?lang=en", {"kind": "cleaning", "points": ["床" * 201, ""]})
    assert answer.status_code == 422
    assert "Enter at most 200" in answer.text


def test_a_finished_cleaning_waits_until_somebody_looked_at_it(
    office: Browser, cleaned: str
) -> None:
    assert cleaned in office.get("/inspections?lang=en").text
    assert "Required to send it back." in office.get(f"/tasks/{cleaned}?lang=en").text
    passed = office.post(f"/tasks/{cleaned}/inspections", {"passed": "1", "moves": "1"})
    assert passed.status_code == 303
    assert "Nothing to inspect" in office.get("/inspections?lang=en").text
    assert "Required to send it back." not in office.get(f"/tasks/{cleaned}?lang=en").text


def test_a_cleaning_is_sent_back_with_a_note(office: Browser, cleaned: str) -> None:
    path = f"/tasks/{cleaned}/inspections"
    assert office.post(path, {"passed": "0", "note": ""}).status_code == 422
    assert office.post(path, {"passed": "0", "note": "窓がまだ"}).status_code == 303
    text = office.get(f"/tasks/{cleaned}?lang=en").text
    assert "Sent back" in text
    assert "窓がまだ" in text


def test_housekeeping_looks_at_what_a_colleague_cleaned(housekeeper: Browser, cleaned: str) -> None:
    assert cleaned in housekeeper.get("/inspections").text
    answer = housekeeper.post(f"/tasks/{cleaned}/inspections", {"passed": "1"})
    assert answer.status_code == 303
