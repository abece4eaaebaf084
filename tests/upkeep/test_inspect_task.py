"""A finished cleaning is looked at: it passes, or it is to do again with a note."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaskKind, TaskState
from pms.upkeep.boards import TaskCard, task_card
from pms.upkeep.models import Inspection, Task, TaskItem, TaskMove
from pms.upkeep.moves import (
    WAITS_FOR,
    PointsOpenError,
    awaiting_inspection,
    inspect_task,
    tick_item,
)
from pms.upkeep.task_days import neglected_tasks, open_tasks_of_today
from pms.upkeep.task_visibility import TaskVisibility
from tests.cast import Cast, House
from tests.staff import Staff
from tests.upkeep.task_desk import move, read

CLEANER, COLLEAGUE = new_id(), new_id()
EVERYTHING = TaskVisibility.everything()


class Cleaned:
    """A cleaning of room 202 that a cleaner finished."""

    def __init__(self, database: Database, clock: FixedClock, house: House) -> None:
        self.database, self.clock, self.house = database, clock, house
        self.id = self.add()

    def add(self, **given: Any) -> str:
        id_ = new_id()
        usual = {"kind": TaskKind.CLEANING, "state": TaskState.DONE, "moves": 2}
        usual |= {"building_id": self.house.building_id, "unit_id": self.house.guests_room_id}
        usual |= {"state_by": f"person/{CLEANER}", "created_by": "program"}
        at = {"state_since": self.clock.now(), "created_at": self.clock.now()}
        with self.database.writing(self.house.workspace_id) as session:
            session.add(Task(id=id_, **{**usual, **at, **given}))
        return id_

    def inspect(
        self,
        has_passed: bool,
        *,
        by: str = "office",
        visibility: TaskVisibility = EVERYTHING,
        **given: Any,
    ) -> None:
        task_id = given.pop("task_id", self.id)
        with self.database.writing(self.house.workspace_id) as session:
            facts = {"task_id": task_id, "has_passed": has_passed, "visibility": visibility}
            inspect_task(Work(session, self.clock, by), **facts, **given)

    def waiting(self) -> list[str]:
        with self.database.reading(self.house.workspace_id) as session:
            return [card.id for card in awaiting_inspection(session, self.clock)]

    def all_of(self, model: type[Any]) -> list[Any]:
        with self.database.reading(self.house.workspace_id) as session:
            return list(session.scalars(select(model)))


@pytest.fixture
def cleaned(database: Database, clock: FixedClock, cast: Cast) -> Cleaned:
    return Cleaned(database, clock, cast.sumida)


def test_a_cleaning_that_passes_waits_no_more_and_passes_once(cleaned: Cleaned) -> None:
    assert cleaned.waiting() == [cleaned.id]
    cleaned.inspect(True)
    cleaned.inspect(True)
    (seen,) = cleaned.all_of(Inspection)
    assert (seen.has_passed, seen.by) == (True, "office")
    assert cleaned.waiting() == []
    with cleaned.database.reading(cleaned.house.workspace_id) as session:
        inspected = AuditRecord.audit_event == AuditEvent.TASK_INSPECTED
        assert len(session.scalars(select(AuditRecord.id).where(inspected)).all()) == 1


def test_a_cleaning_that_is_sent_back_is_to_do_again_with_the_note(cleaned: Cleaned) -> None:
    cleaned.inspect(False, note=" 窓がまだです ", seen_moves=2)
    (task,), (seen,), (move,) = map(cleaned.all_of, (Task, Inspection, TaskMove))
    assert (task.state, task.moves, task.state_by) == (TaskState.TODO, 3, "office")
    assert (seen.has_passed, seen.note) == (False, "窓がまだです")
    assert (move.from_state, move.to_state) == (TaskState.DONE, TaskState.TODO)


def test_who_sends_a_cleaning_back_says_why(cleaned: Cleaned) -> None:
    with pytest.raises(Refused, match="note"):
        cleaned.inspect(False, note=" ")


def test_who_cleaned_does_not_look_at_it_but_a_colleague_does(cleaned: Cleaned) -> None:
    own = TaskVisibility(person_id=CLEANER)
    with pytest.raises(Refused, match="yourself"):
        cleaned.inspect(True, by=f"person/{CLEANER}", visibility=own)
    cleaned.inspect(True, by=f"person/{COLLEAGUE}", visibility=TaskVisibility(person_id=COLLEAGUE))
    assert cleaned.waiting() == []


@pytest.mark.parametrize(
    "given", [{"state": TaskState.DOING}, {"kind": TaskKind.REPAIR, "title": "蛇口"}]
)
def test_only_a_finished_cleaning_is_inspected(cleaned: Cleaned, given: dict[str, Any]) -> None:
    other = cleaned.add(**given)
    with pytest.raises(Refused):
        cleaned.inspect(True, task_id=other)
    assert cleaned.waiting() == [cleaned.id]


def test_somebody_elses_task_is_not_met(cleaned: Cleaned, cast: Cast) -> None:
    with (
        pytest.raises(NotFound),
        cleaned.database.writing(cast.minato.workspace_id) as session,
    ):
        inspect_task(
            Work(session, cleaned.clock, "office"),
            task_id=cleaned.id,
            has_passed=True,
            visibility=TaskVisibility.everything(),
        )


def test_whoever_looks_at_an_earlier_state_is_told(cleaned: Cleaned) -> None:
    cleaned.inspect(False, note="床")
    with cleaned.database.writing(cleaned.house.workspace_id) as session:
        task = session.scalars(select(Task)).one()
        task.state = TaskState.DONE
    with pytest.raises(Collision):
        cleaned.inspect(True, by="somebody", seen_moves=2)


def test_a_cleaning_nobody_looked_at_counts_as_good_in_the_end(cleaned: Cleaned) -> None:
    cleaned.clock.advance(WAITS_FOR * 2)
    assert cleaned.waiting() == []


def points_of(cleaned: Cleaned) -> tuple[str, str]:
    """Give the cleaning two points that are ticked."""
    first, second = new_id(), new_id()
    done = {"ticked_at": cleaned.clock.now(), "ticked_by": f"person/{CLEANER}"}
    with cleaned.database.writing(cleaned.house.workspace_id) as session:
        for position, (id_, text) in enumerate(((first, "床"), (second, "鏡"))):
            facts = {"id": id_, "task_id": cleaned.id, "position": position, "text_ja": text}
            session.add(TaskItem(**facts, **done))
    return first, second


def test_the_points_that_failed_are_open_again_and_named_by_the_inspection(
    cleaned: Cleaned,
) -> None:
    floor, mirror = points_of(cleaned)
    cleaned.inspect(False, note="水あと", failed_ids=[mirror])
    task = read(cleaned.database, cleaned.house, cleaned.id)
    assert {point.id: point.ticked_at is None for point in task.points} == {
        floor: False,
        mirror: True,
    }
    assert task.rework is not None
    assert [one["ja"] for one in task.rework.failed_points or ()] == ["鏡"]
    assert task.failed_ids == {mirror}
    with cleaned.database.reading(cleaned.house.workspace_id) as session:
        events = session.scalars(select(AuditRecord.after).order_by(AuditRecord.id.desc())).first()
    assert events is not None
    assert events["points"] == "鏡"


def test_a_cleaning_that_passes_opens_no_point_again(cleaned: Cleaned) -> None:
    _floor, mirror = points_of(cleaned)
    cleaned.inspect(True, failed_ids=[mirror])
    assert read(cleaned.database, cleaned.house, cleaned.id).ticked_count == 2


def test_a_point_of_another_task_is_refused(cleaned: Cleaned) -> None:
    with pytest.raises(Refused, match="failedPoints: 'x' is not an item of this task"):
        cleaned.inspect(False, note="床", failed_ids=["x"])


def test_rework_stands_first_in_the_day_of_who_does_it_until_it_is_done_again(
    cleaned: Cleaned,
) -> None:
    soon = cleaned.add(state=TaskState.TODO, due_on=cleaned.clock.today(), assignee_id=None)
    cleaned.inspect(False, note="水あと")

    def first() -> TaskCard:
        with cleaned.database.reading(cleaned.house.workspace_id) as session:
            work = open_tasks_of_today(session, EVERYTHING, cleaned.clock.today(), 5)
        return work[0]

    assert (first().id, first().rework) == (cleaned.id, "水あと")
    cleaned.clock.advance(timedelta(hours=1))
    with cleaned.database.writing(cleaned.house.workspace_id) as session:
        move(session, cleaned.clock, cleaned.id, TaskState.DONE)
    assert first().id == soon
    cleaned.inspect(True)
    with cleaned.database.writing(cleaned.house.workspace_id) as session:
        move(session, cleaned.clock, cleaned.id, TaskState.TODO)
    with cleaned.database.reading(cleaned.house.workspace_id) as session:
        assert task_card(session, cleaned.id, EVERYTHING).rework is None


def test_what_came_back_to_somebody_of_the_office_is_on_their_day(
    cleaned: Cleaned, staff: Staff
) -> None:
    own = cleaned.add(assignee_id=staff.office_id)
    cleaned.inspect(False, note="床", task_id=own)

    def neglected(person_id: str) -> list[str]:
        with cleaned.database.reading(cleaned.house.workspace_id) as session:
            work = neglected_tasks(session, cleaned.clock.today(), 5, person_id)
        return [card.id for card in work]

    assert own in neglected(staff.office_id)
    assert own not in neglected(staff.operator_id)


def test_points_that_were_sent_back_are_asked_about_before_done(cleaned: Cleaned) -> None:
    with cleaned.database.writing(cleaned.house.workspace_id) as session:
        point = TaskItem(
            id=new_id(), task_id=cleaned.id, position=1, text_ja="窓", text_en="Windows"
        )
        session.add(point)
        session.flush()
        point_id = point.id
    cleaned.inspect(False, note="窓", failed_ids=[point_id])

    def finish(**given: Any) -> TaskState:
        with cleaned.database.writing(cleaned.house.workspace_id) as session:
            return move(session, cleaned.clock, cleaned.id, TaskState.DONE, **given).state

    with pytest.raises(PointsOpenError, match="1 points were sent back"):
        finish()
    assert finish(leaves_points_open=True) is TaskState.DONE
    cleaned.inspect(False, note="窓", failed_ids=[point_id])
    with cleaned.database.writing(cleaned.house.workspace_id) as session:
        tick_item(
            Work(session, cleaned.clock, "office"),
            task_id=cleaned.id,
            item_id=point_id,
            is_ticked=True,
            visibility=EVERYTHING,
        )
    assert finish() is TaskState.DONE
