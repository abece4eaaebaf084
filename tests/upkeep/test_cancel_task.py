"""A task added by mistake is cancelled and brought back; what was done about one is kept."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.lists import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import HoldReason, ProjectState, StaffRole, TaskState
from pms.upkeep.boards import TaskFilter, task_board, task_counts
from pms.upkeep.models import Visit
from pms.upkeep.moves import tick_item, write_task_note
from pms.upkeep.photos import TASK, add_upkeep_photo
from pms.upkeep.project_lines import remove_hours
from pms.upkeep.project_lists import project_tasks, tasks_of_projects
from pms.upkeep.projects import end_project
from pms.upkeep.task_days import days_tasks, plannable_tasks, tasks_of_project
from pms.upkeep.task_record import TaskRecord
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.tasks import WrittenTask, cancel_task, edit_task, restore_task
from pms.upkeep.visit_changes import add_to_visit, plan_visit
from pms.upkeep.visit_tasks import drop_empty_visits
from pms.upkeep.visits import lock_visit, tasks_in_order
from tests.cast import Cast
from tests.staff import introduce_staff
from tests.upkeep.task_desk import OFFICE, added, move, read
from tests.upkeep.works import Works

ALL = TaskVisibility.everything()
ME = new_id()


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Sumida's house."""
    return Works(database, clock, cast.sumida)


def task(works: Works, **given: Any) -> str:
    return added(works.database, works.clock, works.house, **given)


def cancel(works: Works, task_id: str, reason: str = "二重に登録した", **given: Any) -> None:
    given = {"visibility": ALL, "reason": reason, **given}
    actor = given.pop("actor", OFFICE)
    with works.writing() as session:
        cancel_task(Work(session, works.clock, actor), task_id=task_id, **given)


def restore(works: Works, task_id: str, **given: Any) -> None:
    actor = given.pop("actor", OFFICE)
    with works.writing() as session:
        restore_task(
            Work(session, works.clock, actor), task_id=task_id, **{"visibility": ALL, **given}
        )


def standing(works: Works, task_id: str) -> TaskRecord:
    return read(works.database, works.house, task_id)


def shown(works: Works) -> list[str]:
    """Every task of the board, as the list of the day has it too."""
    today = works.clock.today()
    with works.writing() as session:
        board = [
            card.id for row in task_board(session, ALL, TaskFilter(), today) for card in row[1]
        ]
        counts = task_counts(session, ALL, TaskFilter(), today)
        day = days_tasks(session, ALL, TaskFilter(on=today), today, Paging(1, 50))
    assert sum(counts.values()) == len(board)
    assert {card.id for card in day.cards} == set(board)
    return board


def audit_events(works: Works, audit_event: AuditEvent) -> list[AuditRecord]:
    with works.writing() as session:
        return list(
            session.scalars(select(AuditRecord).where(AuditRecord.audit_event == audit_event))
        )


def test_a_cancelled_task_leaves_every_list_and_stays_on_its_projects_page(works: Works) -> None:
    project_id = works.open()
    gone, stays = task(works, project_id=project_id), task(works, project_id=project_id)
    cancel(works, gone)
    assert shown(works) == [stays]
    with works.writing() as session:
        assert [card.id for card in tasks_of_project(session, project_id)] == [stays]
        found = {one.id: one.cancelled_at is not None for one in project_tasks(session, project_id)}
        offered = plannable_tasks(session, works.house.building_id, ALL)
        assert tasks_of_projects(session, [project_id])[project_id] == (1, 1)
    assert found == {gone: True, stays: False}
    assert [one.card.id for one in offered] == [stays]
    record = standing(works, gone)
    assert record.cancelled_at is not None and record.notes[0].text == "二重に登録した"
    assert [one.before for one in audit_events(works, AuditEvent.TASK_CANCELLED)] == [
        {"state": "todo"}
    ]


def test_it_comes_back_as_its_last_step_left_it(works: Works) -> None:
    begun, fresh = task(works), task(works)
    with works.writing() as session:
        hold: dict[str, Any] = {"hold_reason": HoldReason.PARTS, "actor": "person/other"}
        move(session, works.clock, begun, TaskState.ON_HOLD, **hold)
    before = standing(works, begun), standing(works, fresh)
    works.clock.advance(timedelta(hours=1))
    for task_id in (begun, fresh):
        cancel(works, task_id)
        cancel(works, task_id)
        restore(works, task_id)
        restore(works, task_id)
    for was, now in zip(before, (standing(works, begun), standing(works, fresh)), strict=True):
        assert now._replace(version=was.version, notes=was.notes) == was
        assert len(now.notes) == 1
    assert (
        len(audit_events(works, AuditEvent.TASK_CANCELLED))
        == len(audit_events(works, AuditEvent.TASK_RESTORED))
        == 2
    )


def test_what_was_logged_or_done_is_never_cancelled(works: Works) -> None:
    project_id = works.open()
    logged, bought, done = (task(works, project_id=project_id) for _ in range(3))
    hours_id = works.work(project_id, 30, task_id=logged)
    works.buy(project_id, 500, task_id=bought)
    with works.writing() as session:
        move(session, works.clock, done, TaskState.DONE)
    for task_id in (logged, bought):
        with pytest.raises(Refused, match="task has hours, purchases or photos"):
            cancel(works, task_id)
    with pytest.raises(Refused, match="task is already done"):
        cancel(works, done)
    with pytest.raises(Refused, match="reason"):
        cancel(works, task(works), reason=" ")
    with works.writing() as session:
        remove_hours(Work(session, works.clock, OFFICE), project_id=project_id, hours_id=hours_id)
    cancel(works, logged)
    assert standing(works, logged).cancelled_at is not None


def test_on_site_people_cancel_and_bring_back_only_what_they_added(works: Works) -> None:
    task_id = task(works)
    visibility = TaskVisibility.of_staff(StaffRole.MAINTENANCE, ME)
    with pytest.raises(Refused, match="Ask the office"):
        cancel(works, task_id, actor=f"person/{ME}", visibility=visibility)
    cancel(works, task_id, actor=OFFICE, visibility=visibility)
    with pytest.raises(Refused, match="Ask the office"):
        restore(works, task_id, actor=f"person/{ME}", visibility=visibility)
    with pytest.raises(NotFound):
        cancel(works, "nothing")


def test_who_cancels_what_others_moved_meanwhile_is_told(works: Works) -> None:
    task_id = task(works)
    with works.writing() as session:
        move(session, works.clock, task_id, TaskState.DOING, actor="person/other")
    with pytest.raises(Collision, match="set this task to doing"):
        cancel(works, task_id, seen_moves=0)
    assert standing(works, task_id).cancelled_at is None


def test_whatever_comes_late_to_a_cancelled_task_is_told_and_changes_nothing(works: Works) -> None:
    project_id = works.open()
    task_id = task(works, project_id=project_id)
    point = standing(works, task_id).points[0]
    cancel(works, task_id)
    before = standing(works, task_id)
    about: dict[str, Any] = {"task_id": task_id, "visibility": ALL}
    for to in TaskState:
        with pytest.raises(Collision, match="cancelled this task"), works.writing() as session:
            move(session, works.clock, task_id, to, key=f"tap-{to}", note="途中")
    with pytest.raises(Collision), works.writing() as session:
        ticked: dict[str, Any] = {"item_id": point.id, "is_ticked": True}
        tick_item(Work(session, works.clock, OFFICE), **about, **ticked)
    with pytest.raises(Collision), works.writing() as session:
        write_task_note(Work(session, works.clock, OFFICE), **about, text="メモ")
    with pytest.raises(Collision), works.writing() as session:
        add_upkeep_photo(Work(session, works.clock, OFFICE), subject=(TASK, task_id), sized=None)  # type: ignore[arg-type]  # refused before it is looked at
    with pytest.raises(Collision):
        works.work(project_id, 30, task_id=task_id)
    assert standing(works, task_id) == before
    restore(works, task_id)
    with works.writing() as session:
        assert move(session, works.clock, task_id, TaskState.DONE, key="tap-done").is_changed


def test_a_tap_without_a_note_leaves_a_cancelled_task_as_it_is(works: Works) -> None:
    task_id = task(works)
    cancel(works, task_id)
    before = standing(works, task_id)
    for to in TaskState:
        with pytest.raises(Collision, match="cancelled this task"), works.writing() as session:
            move(session, works.clock, task_id, to)
    assert standing(works, task_id) == before


def test_it_leaves_its_visit_which_falls_away_with_the_last_one(works: Works, cast: Cast) -> None:
    staff = introduce_staff(works.database, cast)
    first, last = task(works), task(works)
    with works.writing() as session:
        where: dict[str, Any] = {
            "building_id": works.house.building_id,
            "on_day": works.clock.today(),
        }
        who: dict[str, Any] = {"person_id": staff.housekeeping_id, "task_ids": [first, last]}
        plan_visit(Work(session, works.clock, OFFICE), **where, **who)
    cancel(works, first)
    with works.writing() as session:
        assert session.scalars(select(Visit)).all()
    cancel(works, last)
    with works.writing() as session:
        assert not session.scalars(select(Visit)).all()
    assert len(audit_events(works, AuditEvent.VISIT_CANCELLED)) == 1
    restore(works, last)
    assert standing(works, last).visit_id is None


@pytest.mark.parametrize("into", [ProjectState.DONE, ProjectState.CANCELLED])
def test_a_project_ends_with_the_tasks_that_are_left(works: Works, into: ProjectState) -> None:
    project_id = works.open()
    worked, idle = task(works, project_id=project_id), task(works, project_id=project_id)
    works.work(project_id, 30, task_id=worked)
    ending: dict[str, Any] = {"project_id": project_id, "into": into}
    if into is ProjectState.DONE:
        with pytest.raises(Refused, match="Finish them first"), works.writing() as session:
            end_project(Work(session, works.clock, OFFICE), **ending)
    with works.writing() as session:
        end_project(Work(session, works.clock, OFFICE), **ending, closes_tasks=True)
    assert standing(works, worked).state is standing(works, idle).state is TaskState.DONE
    assert standing(works, worked).cancelled_at is None
    assert standing(works, idle).cancelled_at is not None
    with pytest.raises(Refused, match="Reopen it first"):
        restore(works, idle)


def test_a_task_moves_to_another_unit_of_its_building_until_it_is_done(
    works: Works, cast: Cast
) -> None:
    task_id = task(works)
    house = works.house

    def place(unit_id: str | None, version: int, **given: Any) -> None:
        actor, visibility = given.get("actor", OFFICE), given.get("visibility", ALL)
        written = WrittenTask(unit_id=unit_id, is_placed=True)
        with works.writing() as session:
            about: dict[str, Any] = {"task_id": task_id, "written": written, "version": version}
            edit_task(Work(session, works.clock, actor), visibility=visibility, **about)

    place(house.residents_room_id, 1)
    assert standing(works, task_id).place.unit_id == house.residents_room_id
    assert audit_events(works, AuditEvent.TASK_EDITED)[0].after == {
        "unit_id": house.residents_room_id
    }
    with pytest.raises(Collision):
        place(None, 1)
    with pytest.raises(Refused, match="unit was not found in the building"):
        place(cast.minato.free_room_id, 2)
    with pytest.raises(Refused, match="Ask the office"):
        place(
            None,
            2,
            actor=f"person/{ME}",
            visibility=TaskVisibility.of_staff(StaffRole.MAINTENANCE, ME),
        )
    place(None, 2)
    with works.writing() as session:
        move(session, works.clock, task_id, TaskState.DONE)
    with pytest.raises(Refused, match="is done"):
        place(house.free_room_id, 3)


def test_what_arrived_before_the_task_was_cancelled_is_not_refused_when_sent_again(
    works: Works,
) -> None:
    task_id = task(works)
    about: dict[str, Any] = {"task_id": task_id, "visibility": ALL}
    point_id = standing(works, task_id).points[0].id
    ticked: dict[str, Any] = {"item_id": point_id, "is_ticked": True}

    def send() -> None:
        with works.writing() as session:
            write_task_note(Work(session, works.clock, OFFICE), **about, text="メモ", key="note")
        with works.writing() as session:
            tick_item(Work(session, works.clock, OFFICE), **about, **ticked, key="tick")

    send()
    cancel(works, task_id)
    before = standing(works, task_id)
    send()
    assert standing(works, task_id) == before


def test_a_task_finished_while_its_project_ends_stays_finished(
    works: Works, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_id = works.open()
    task_id = task(works, project_id=project_id)

    def finished_meanwhile(session: WorkspaceSession, project_id: str) -> list[str]:
        move(session, works.clock, task_id, TaskState.DONE, actor="person/other")
        return [task_id]

    monkeypatch.setattr("pms.upkeep.projects.list_open_tasks", finished_meanwhile)
    with works.writing() as session:
        ending: dict[str, Any] = {"project_id": project_id, "into": ProjectState.CANCELLED}
        end_project(Work(session, works.clock, OFFICE), **ending)
    done = standing(works, task_id)
    assert (done.state, done.cancelled_at, done.state_by) == (TaskState.DONE, None, "person/other")


def meanwhile(
    works: Works, first: Callable[[WorkspaceSession], object], then: Callable[[], object]
) -> None:
    """Do `first`, and store it only after `then` was begun beside it and had time to wait."""
    with ThreadPoolExecutor(1) as beside:
        with works.writing() as session:
            first(session)
            late = beside.submit(then)
            wait([late], timeout=0.3)
        late.result()


@pytest.mark.parametrize("what", ["hours", "photo"])
def test_nothing_is_logged_about_a_task_while_somebody_cancels_it(works: Works, what: str) -> None:
    project_id = works.open()
    task_id = task(works, project_id=project_id)

    def log() -> None:
        if what == "hours":
            works.work(project_id, 30, task_id=task_id)
            return
        sized = SizedPhoto(width=1, height=1, files={})
        with works.writing() as session:
            add_upkeep_photo(
                Work(session, works.clock, OFFICE), subject=(TASK, task_id), sized=sized
            )

    def cancelled(session: WorkspaceSession) -> None:
        about: dict[str, Any] = {"task_id": task_id, "reason": "不要", "visibility": ALL}
        cancel_task(Work(session, works.clock, OFFICE), **about)

    with pytest.raises(Collision, match="cancelled this task"):
        meanwhile(works, cancelled, log)


def test_a_visit_that_gets_a_task_meanwhile_is_not_called_off_as_empty(
    works: Works, cast: Cast
) -> None:
    staff = introduce_staff(works.database, cast)
    task_id, visit_id = task(works), new_id()
    with works.writing() as session:
        planned: dict[str, Any] = {"planned_at": works.clock.now(), "planned_by": OFFICE}
        where = {"building_id": works.house.building_id, "on_day": works.clock.today()}
        session.add(Visit(id=visit_id, person_id=staff.housekeeping_id, **where, **planned))

    def put(session: WorkspaceSession) -> None:
        about: dict[str, Any] = {"visit_id": visit_id, "task_ids": [task_id], "visibility": ALL}
        add_to_visit(Work(session, works.clock, OFFICE), **about)

    def drop() -> None:
        with works.writing() as session:
            drop_empty_visits(Work(session, works.clock, OFFICE), [visit_id])

    meanwhile(works, put, drop)
    assert standing(works, task_id).visit_id == visit_id


def test_who_cancels_waits_for_who_changes_the_visit_and_neither_is_stopped(
    works: Works, cast: Cast
) -> None:
    staff = introduce_staff(works.database, cast)
    project_id = works.open()
    gone, ended, stays = (task(works, project_id=one) for one in (None, project_id, None))
    with works.writing() as session:
        where: dict[str, Any] = {
            "building_id": works.house.building_id,
            "on_day": works.clock.today(),
        }
        who: dict[str, Any] = {"person_id": staff.housekeeping_id}
        visit_id = plan_visit(
            Work(session, works.clock, OFFICE), **where, **who, task_ids=[gone, ended, stays]
        )

    def end() -> None:
        with works.writing() as session:
            about: dict[str, Any] = {"project_id": project_id, "into": ProjectState.CANCELLED}
            end_project(Work(session, works.clock, OFFICE), **about)

    for then in (lambda: cancel(works, gone), end):
        with ThreadPoolExecutor(1) as beside:
            with works.writing() as session:
                lock_visit(session, visit_id, ALL)
                late = beside.submit(then)
                wait([late], timeout=0.3)
                tasks_in_order(session, visit_id)
            late.result()
    assert standing(works, gone).cancelled_at and standing(works, ended).cancelled_at
    assert standing(works, stays).visit_id == visit_id
