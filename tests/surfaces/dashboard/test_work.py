"""The board of tasks and the list of a day: who sees what, and what a tap is answered with."""

import re
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.rules.enumerations import HoldReason, TaskKind, TaskState
from pms.upkeep.models import Task
from tests.cast import Cast
from tests.staff import Browser, Staff
from tests.surfaces.agent_api.test_questions_to_the_database import statements


@pytest.fixture
def given(database: Database, clock: FixedClock, cast: Cast) -> Any:
    """Add tasks in the free room of Kawasemi House, as many as asked for, and return their ids."""

    def add(count: int = 1, **facts: Any) -> list[str]:
        usual = {
            "kind": TaskKind.REPAIR,
            "title": "蛇口の交換",
            "building_id": cast.sumida.building_id,
            "unit_id": cast.sumida.free_room_id,
            "state_since": clock.now(),
            "state_by": "program",
            "created_at": clock.now(),
            "created_by": "program",
        }
        ids = [new_id() for _ in range(count)]
        with database.writing(cast.sumida.workspace_id) as session:
            session.add_all([Task(id=id_, **usual | facts) for id_ in ids])
        return ids

    return add


def test_the_office_begins_at_the_board_and_the_others_with_their_day(
    office: Browser, housekeeper: Browser, maintainer: Browser, given: Any
) -> None:
    given()
    assert "column-on_hold" in office.get("/work").text
    for browser in (housekeeper, maintainer):
        text = browser.get("/work?lang=en").text
        assert "column-on_hold" not in text
        assert "0 of 1 done" in text


def test_a_column_shows_fifteen_cards_and_the_way_to_the_rest(office: Browser, given: Any) -> None:
    given(35)
    text = office.get("/work?lang=en").text
    assert text.count('<article class="task-card"') == 15
    assert 'id="count-todo">35<' in text
    assert "state=todo&amp;page=2" in text
    rest = office.get("/work?view=column&state=todo&page=3&lang=en").text
    assert rest.count('<article class="task-card"') == 5
    assert "31–35 of 35" in rest


def test_what_was_done_long_ago_is_not_on_the_board(
    office: Browser, given: Any, clock: FixedClock
) -> None:
    (recent,) = given(state=TaskState.DONE, state_since=clock.now() - timedelta(days=6))
    (old,) = given(state=TaskState.DONE, state_since=clock.now() - timedelta(days=9))
    text = office.get("/work").text
    assert recent in text
    assert old not in text


def test_nobody_on_site_sees_the_tasks_of_somebody_else(
    office: Browser, housekeeper: Browser, staff: Staff, given: Any
) -> None:
    (own,) = given(assignee_id=staff.housekeeping_id)
    (free,) = given()
    (others,) = given(assignee_id=staff.maintenance_id)
    for path in ("/work", "/work?view=board", "/work?view=column&state=todo"):
        text = housekeeper.get(path).text
        assert own in text
        assert free in text
        assert others not in text
    assert others in office.get("/work").text
    assert (
        housekeeper.post(f"/tasks/{others}/moves?view=list", {"state": "doing"}).status_code == 404
    )


def test_a_day_holds_what_can_be_done_on_it(
    housekeeper: Browser, given: Any, clock: FixedClock
) -> None:
    today = clock.today()
    ids = {
        "late": given(due_on=today - timedelta(days=2)),
        "window": given(opens_on=today - timedelta(days=1), due_on=today + timedelta(days=1)),
        "later": given(opens_on=today + timedelta(days=1), due_on=today + timedelta(days=3)),
        "begun": given(state=TaskState.DOING, opens_on=today + timedelta(days=9)),
        "any day": given(),
        "done": given(state=TaskState.DONE),
        "done before": given(state=TaskState.DONE, state_since=clock.now() - timedelta(days=1)),
    }

    def on(day: str) -> set[str]:
        text = housekeeper.get(f"/work?view=list&day={day}").text
        return {name for name, (id_,) in ids.items() if id_ in text}

    assert on("") == {"late", "window", "begun", "any day", "done"}
    assert on((today + timedelta(days=1)).isoformat()) == {"window", "later"}
    assert on((today - timedelta(days=1)).isoformat()) == {"window", "done before"}


def test_filters_narrow_the_board_and_stay_in_what_a_card_sends(
    office: Browser, staff: Staff, given: Any
) -> None:
    (repair,) = given(assignee_id=staff.maintenance_id)
    (cleaning,) = given(kind=TaskKind.CLEANING, title=None)
    text = office.get(f"/work?personId={staff.maintenance_id}&kind=repair&lang=en").text
    assert repair in text
    assert cleaning not in text
    assert "Kind: Repair" in text
    assert f"moves?view=board&amp;state=todo&amp;personId={staff.maintenance_id}" in text
    assert cleaning in office.get("/work?personId=nobody").text
    assert "No matching tasks" in office.get("/work?kind=inspection&lang=en").text


@pytest.mark.parametrize("wrong", ["kind=magic", "day=soon", "buildingId=elsewhere", "personId=x"])
def test_a_filter_that_cannot_be_read_is_told(office: Browser, given: Any, wrong: str) -> None:
    given()
    for view in ("board", "list", "column"):
        answer = office.get(f"/work?view={view}&{wrong}&lang=en")
        assert answer.status_code == 422
        assert "Nothing to show" in answer.text


def test_a_tap_is_answered_with_the_card_the_counts_and_the_way_back(
    office: Browser, given: Any
) -> None:
    (task_id, _) = given(2)
    part = office.post(
        f"/tasks/{task_id}/moves?view=board&lang=en",
        {"state": "doing", "moves": "0"},
        headers={"HX-Request": "true"},
    )
    assert part.status_code == 200
    assert part.text.lstrip().startswith("<article")
    assert part.text.count("<article") == 1
    assert 'data-state="doing"' in part.text
    assert '<span class="count" id="count-todo" hx-swap-oob="true">1</span>' in part.text
    assert '<span class="count" id="tab-doing" hx-swap-oob="true">1</span>' in part.text
    assert "Undo" in part.text
    assert 'name="state" value="todo"' in part.text
    assert len(part.data) < 6_000


@pytest.mark.parametrize("wrong", ["kind=magic", "day=soon", "buildingId=x", "personId=x"])
def test_a_filter_that_cannot_be_read_holds_no_tap_up(
    office: Browser, given: Any, wrong: str
) -> None:
    (task_id,) = given()
    part = office.post(
        f"/tasks/{task_id}/moves?view=board&{wrong}",
        {"state": "doing", "moves": "0"},
        headers={"HX-Request": "true"},
    )
    assert part.status_code == 200
    assert 'data-state="doing"' in part.text


def test_the_way_back_from_a_hold_keeps_the_reason(office: Browser, given: Any) -> None:
    (task_id,) = given(state=TaskState.ON_HOLD, hold_reason=HoldReason.PARTS)
    part = office.post(
        f"/tasks/{task_id}/moves?view=board",
        {"state": "doing", "moves": "0"},
        headers={"HX-Request": "true"},
    ).text
    assert 'name="holdReason" value="parts"' in part


def test_without_scripts_start_and_done_come_back_to_where_the_card_stood(
    housekeeper: Browser, staff: Staff, given: Any, database: Database, cast: Cast
) -> None:
    (task_id,) = given(assignee_id=staff.housekeeping_id)
    for state in ("doing", "done"):
        answer = housekeeper.post(f"/tasks/{task_id}/moves?view=list&lang=en", {"state": state})
        assert answer.status_code == 303
        assert answer.location.endswith(f"/work?view=list#task-{task_id}")
    assert "Undo" in housekeeper.get("/work?view=list&lang=en").text
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalars(select(Task.state).where(Task.id == task_id)).one() == TaskState.DONE
        audit_events = session.scalars(
            select(AuditRecord.audit_event).where(AuditRecord.subject_id == task_id)
        ).all()
    assert audit_events.count("task.moved") == 2


def test_a_late_tap_gets_the_card_as_it_stands_and_is_told_why(
    office: Browser, housekeeper: Browser, given: Any
) -> None:
    (task_id,) = given()
    office.post(f"/tasks/{task_id}/moves?view=board", {"state": "done", "moves": "0"})
    late = housekeeper.post(
        f"/tasks/{task_id}/moves?view=list&lang=en",
        {"state": "doing", "moves": "0"},
        headers={"HX-Request": "true"},
    )
    assert late.status_code == 422
    assert 'data-state="done"' in late.text
    assert 'role="alert"' in late.text


@pytest.mark.parametrize("view", ["board", "list", "column"])
def test_ten_times_the_tasks_ask_the_database_as_often(
    office: Browser, given: Any, staff: Staff, view: str
) -> None:
    def asked_with(more: int) -> int:
        for state in TaskState:
            given(more, state=state, assignee_id=staff.housekeeping_id)
        with statements() as sent:
            assert office.get(f"/work?view={view}").status_code == 200
        return len(sent)

    asked_with(1)  # what a first visit asks besides
    assert asked_with(3) == asked_with(30) <= 12


def test_the_page_of_a_unit_shows_its_visible_tasks(
    office: Browser, housekeeper: Browser, staff: Staff, given: Any, cast: Cast
) -> None:
    (others,) = given(assignee_id=staff.maintenance_id)
    (free,) = given()
    path = f"/units/{cast.sumida.free_room_id}"
    assert {others, free} <= set(re.findall("[0-9a-f]{32}", office.get(path).text))
    shown = housekeeper.get(path).text
    assert free in shown
    assert others not in shown
