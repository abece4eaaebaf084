"""Tasks: added with the checklist of their kind, moved with who and when, told of collisions."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import HoldReason, StaffRole, TaskKind, TaskState
from pms.upkeep.models import Task, TaskMove
from pms.upkeep.moves import MovedMeanwhileError
from pms.upkeep.task_record import task_record
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.task_windows import task_window
from tests.cast import Cast, reservation
from tests.staff import introduce_staff
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.upkeep.task_desk import EVERYTHING, OFFICE, add, added, move, read

SAKURA, TAKESHI = "person/sakura", "person/takeshi"


def test_a_new_task_waits_with_the_checklist_of_its_kind(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    task = read(database, cast.sumida, added(database, clock, cast.sumida))
    assert (task.state, task.moves, task.created_by) == (TaskState.TODO, 0, OFFICE)
    assert task.place.unit_name == "102"
    assert task.place.building.en == "Kawasemi House"
    assert len(task.points) >= 4
    assert task.ticked_count == 0


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"kind": TaskKind.REPAIR}, "title"),
        ({"kind": TaskKind.OTHER, "title": "  "}, "title"),
        ({"building_id": "elsewhere", "unit_id": None}, "buildingId"),
        ({"unit_id": "0" * 32}, "unitId"),
        ({"project_id": "0" * 32}, "projectId"),
        ({"assignee_id": "0" * 32}, "assigneeId"),
        ({"opens_on": date(2026, 11, 25), "due_on": date(2026, 11, 24)}, "dueOn"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(
    database: Database, clock: FixedClock, cast: Cast, given: dict[str, Any], field: str
) -> None:
    with pytest.raises(Refused, match=f"^{field}:"):
        added(database, clock, cast.sumida, **given)


def test_a_move_keeps_who_and_when_and_the_way_there(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    task_id = added(database, clock, cast.sumida)
    clock.advance(timedelta(minutes=5))
    with database.writing(cast.sumida.workspace_id) as session:
        move(session, clock, task_id, TaskState.DOING, actor=SAKURA)
    began = clock.now()
    clock.advance(timedelta(minutes=40))
    with database.writing(cast.sumida.workspace_id) as session:
        moved = move(
            session, clock, task_id, TaskState.ON_HOLD, actor=SAKURA, hold_reason=HoldReason.PARTS
        )
        audit_events = session.scalars(
            select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.TASK_MOVED)
        )
        last = max(audit_events, key=lambda audit_event: audit_event.id)
    assert moved.was is TaskState.DOING
    assert (moved.state, moved.hold_reason, moved.moves) == (
        TaskState.ON_HOLD,
        HoldReason.PARTS,
        2,
    )
    task = read(database, cast.sumida, task_id)
    assert [(step.state, step.by) for step in task.steps] == [
        (TaskState.ON_HOLD, SAKURA),
        (TaskState.DOING, SAKURA),
    ]
    assert task.steps[1].at == began
    assert (task.state_by, task.state_since) == (SAKURA, clock.now())
    assert last.before == {"state": "doing"}
    assert last.after == {"state": "on_hold", "hold_reason": "parts"}


def test_a_task_that_stands_there_already_is_left_as_it_is(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    task_id = added(database, clock, cast.sumida)
    with database.writing(cast.sumida.workspace_id) as session:
        move(session, clock, task_id, TaskState.DONE, actor=SAKURA)
        again = move(session, clock, task_id, TaskState.DONE, actor=TAKESHI, seen_moves=0)
    assert not again.is_changed
    assert (again.by, again.moves) == (SAKURA, 1)


def test_a_late_tap_is_told_who_moved_the_task_where_and_when(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    task_id = added(database, clock, cast.sumida)
    with database.writing(cast.sumida.workspace_id) as session:
        move(session, clock, task_id, TaskState.ON_HOLD, actor=TAKESHI)
    at = clock.now()
    clock.advance(timedelta(hours=1))
    with (
        pytest.raises(MovedMeanwhileError) as refusal,
        database.writing(cast.sumida.workspace_id) as session,
    ):
        move(session, clock, task_id, TaskState.DONE, actor=SAKURA, seen_moves=0)
    assert (refusal.value.by, refusal.value.state, refusal.value.at) == (
        TAKESHI,
        TaskState.ON_HOLD,
        at,
    )
    assert read(database, cast.sumida, task_id).state is TaskState.ON_HOLD


def test_whoever_taps_twice_without_an_answer_collides_with_nobody(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    task_id = added(database, clock, cast.sumida)
    with database.writing(cast.sumida.workspace_id) as session:
        move(session, clock, task_id, TaskState.DOING, actor=SAKURA, seen_moves=0)
        done = move(session, clock, task_id, TaskState.DONE, actor=SAKURA, seen_moves=0)
    assert (done.state, done.moves) == (TaskState.DONE, 2)


def test_the_same_tap_sent_again_changes_nothing(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    task_id = added(database, clock, cast.sumida)
    for state in (TaskState.DONE, TaskState.TODO, TaskState.DONE):
        with database.writing(cast.sumida.workspace_id) as session:
            key = "first" if state is TaskState.DONE else None
            move(session, clock, task_id, state, key=key, note="水漏れ" if key else None)
    task = read(database, cast.sumida, task_id)
    assert (task.state, task.moves) == (TaskState.TODO, 2)
    assert [note.text for note in task.notes] == ["水漏れ"]


def test_a_move_takes_three_statements_before_its_event_is_kept(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    task_id = added(database, clock, cast.sumida)
    with database.writing(cast.sumida.workspace_id) as session:
        session.connection()
        with statements() as sent:
            move(session, clock, task_id, TaskState.DOING)
    assert len(sent) == 3, "read and lock, write, keep the move; the event goes with the commit"


def test_on_site_one_meets_ones_own_tasks_and_those_of_nobody(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    house, staff = cast.sumida, introduce_staff(database, cast)
    free = added(database, clock, house)
    own = added(database, clock, house, assignee_id=staff.housekeeping_id)
    others = added(database, clock, house, assignee_id=staff.maintenance_id)
    visibility = TaskVisibility.of_staff(StaffRole.HOUSEKEEPING, staff.housekeeping_id)
    with database.writing(house.workspace_id) as session:
        cleanings = select(Task.id).where(Task.kind == TaskKind.CLEANING)
        found = set(session.scalars(visibility.narrow(cleanings)))
        assert found == {free, own}
        with pytest.raises(NotFound):
            task_record(session, others, visibility)
        with pytest.raises(NotFound):
            move(session, clock, others, TaskState.DONE, visibility=visibility)
        move(session, clock, free, TaskState.DONE, visibility=visibility)
        office = TaskVisibility.of_staff(StaffRole.OFFICE, staff.office_id)
        assert task_record(session, others, office).id == others


def test_a_stranger_neither_finds_nor_moves_a_task(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    task_id = added(database, clock, cast.sumida)
    with database.writing(cast.minato.workspace_id) as session:
        for ask in (
            lambda: task_record(session, task_id, EVERYTHING),
            lambda: move(session, clock, task_id, TaskState.DONE),
            lambda: move(session, clock, "nonsense", TaskState.DONE),
        ):
            with pytest.raises(NotFound):
                ask()
        assert session.scalar(select(func.count()).select_from(TaskMove)) == 0


def test_the_window_lies_between_the_check_out_and_the_next_arrival(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        session.add(
            reservation(
                unit_id=house.guests_room_id,
                name="木村 拓",
                move_in_date=date(2026, 11, 25),
                contract_end_date=date(2027, 5, 31),
            )
        )
        session.flush()
        window = task_window(
            session,
            unit_id=house.guests_room_id,
            leaving_id=house.guest_id,
            opens_on=None,
            today=clock.today(),
        )
        empty = task_window(
            session,
            unit_id=house.free_room_id,
            leaving_id=None,
            opens_on=None,
            today=clock.today(),
        )
    assert (window.previous_on, window.next_on) == (date(2026, 11, 25), date(2026, 11, 25))
    assert window.next_surname == "木村"
    assert window.is_lived_in
    assert empty == (None, None, None, False)


def test_a_task_is_added_read_and_moved_by_its_workspace_alone(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with (
        database.writing(cast.minato.workspace_id) as session,
        pytest.raises(Refused, match="unitId"),
    ):
        add(session, clock, cast.sumida)
