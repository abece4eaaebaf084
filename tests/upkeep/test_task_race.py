"""Several people at one card in the same moment: nothing that was done is lost, or told twice."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import func, select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaskState
from pms.upkeep.models import TaskMove
from pms.upkeep.moves import MovedMeanwhileError, tick_item, write_task_note
from tests.cast import Cast
from tests.upkeep.task_desk import EVERYTHING, added, move, read

pytestmark = pytest.mark.differs("locks")

PEOPLE, ROUNDS = 8, 5
PATIENCE_SECONDS = 60.0
Events = Sequence[Callable[[WorkspaceSession], object]]


def at_once(database: Database, workspace_id: str, audit_events: Events) -> list[Any]:
    """Have each audit event done by a thread of its own, all in the same moment; return what came."""
    start = Barrier(len(audit_events))

    def do(audit_event: Callable[[WorkspaceSession], object]) -> object:
        start.wait(PATIENCE_SECONDS)
        try:
            with database.writing(workspace_id) as session:
                return audit_event(session)
        except MovedMeanwhileError as late:
            return late

    with ThreadPoolExecutor(len(audit_events)) as threads:
        return [
            one.result()
            for one in [threads.submit(do, audit_event) for audit_event in audit_events]
        ]


def test_of_all_who_saw_the_same_card_one_moves_it_and_all_others_are_told_by_whom(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    task_id = added(database, clock, house)
    states = (TaskState.DOING, TaskState.ON_HOLD, TaskState.DONE)

    def tap(number: int, seen: int) -> Callable[[WorkspaceSession], object]:
        to = states[(number + seen) % len(states)]
        given = {"actor": f"person/{number}", "seen_moves": seen}
        return lambda session: move(session, clock, task_id, to, **given)

    for seen in range(ROUNDS):
        before = read(database, house, task_id)
        found = at_once(database, house.workspace_id, [tap(n, seen) for n in range(PEOPLE)])
        after = read(database, house, task_id)
        assert after.moves == before.moves + 1
        late = [one for one in found if isinstance(one, MovedMeanwhileError)]
        assert {(one.by, one.state) for one in late} == {(after.state_by, after.state)}
        agreed = [one for one in found if one not in late]
        assert {one.state for one in agreed} <= {after.state, before.state}
        assert sum(one.is_changed for one in agreed) == 1


def test_who_moves_without_having_seen_leaves_a_step_for_every_change(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    task_id = added(database, clock, house)
    states = (TaskState.DOING, TaskState.DONE)

    def tap(number: int) -> Callable[[WorkspaceSession], object]:
        actor = f"person/{number}"
        return lambda session: move(session, clock, task_id, states[number % 2], actor=actor)

    taps = [tap(number) for number in range(PEOPLE)]
    found = at_once(database, house.workspace_id, taps)
    changed = sum(one.is_changed for one in found)
    task = read(database, house, task_id)
    assert task.moves == len(task.steps) == changed
    assert (task.steps[0].state, task.steps[0].by) == (task.state, task.state_by)
    with database.reading(house.workspace_id) as session:
        events = select(func.count()).where(AuditRecord.audit_event == AuditEvent.TASK_MOVED)
        assert session.scalar(events) == changed
        steps = select(TaskMove.from_state, TaskMove.to_state).order_by(TaskMove.id)
        assert all(was is not state for was, state in session.execute(steps))


def test_points_notes_and_moves_of_several_people_all_stand(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    task_id = added(database, clock, house)
    points = read(database, house, task_id).points

    def tick(point_id: str) -> Callable[[WorkspaceSession], object]:
        return lambda session: tick_item(
            Work(session, clock, f"person/{point_id}"),
            task_id=task_id,
            item_id=point_id,
            is_ticked=True,
            visibility=EVERYTHING,
        )

    def note(number: int) -> Callable[[WorkspaceSession], object]:
        return lambda session: write_task_note(
            Work(session, clock, f"person/{number}"),
            task_id=task_id,
            text=f"{number}",
            visibility=EVERYTHING,
        )

    done: Events = [lambda session: move(session, clock, task_id, TaskState.DONE)]
    audit_events = [*(tick(point.id) for point in points), *(note(n) for n in range(4)), *done]
    at_once(database, house.workspace_id, audit_events)
    task = read(database, house, task_id)
    assert {point.ticked_by for point in task.points} == {f"person/{one.id}" for one in points}
    assert sorted(one.text for one in task.notes) == ["0", "1", "2", "3"]
    assert task.state is TaskState.DONE


def test_one_tap_sent_by_two_tabs_at_once_counts_once(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    task_id = added(database, clock, house)
    tap: Events = [
        lambda session: move(session, clock, task_id, TaskState.DONE, key="one", note="終了")
    ]
    found = at_once(database, house.workspace_id, list(tap) * PEOPLE)
    assert Counter(one.is_changed for one in found) == {True: 1, False: PEOPLE - 1}
    task = read(database, house, task_id)
    assert (task.moves, len(task.notes)) == (1, 1)
