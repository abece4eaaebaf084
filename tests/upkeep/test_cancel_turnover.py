"""A turnover is cancelled only once nobody leaves, and comes again with the departure."""

import pytest
from sqlalchemy import select, update

from pms.access.models import Member, Person
from pms.departures.notices import file_notice, withdraw_notice
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import StaffRole, TaskKind, TaskState
from pms.upkeep.models import Task, Visit
from pms.upkeep.moves import move_task
from pms.upkeep.task_record import TaskRecord, task_record
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.tasks import WrittenTask, cancel_task, edit_task, restore_task
from pms.upkeep.turnovers import tend_turnovers
from pms.upkeep.visit_changes import plan_visit
from tests.departures.desk import Desk, day, open_desk

ALL = TaskVisibility.everything()


@pytest.fixture
def desk(database: Database, clock: FixedClock) -> Desk:
    """A desk over an empty house, on 20 November 2026."""
    return open_desk(database, clock)


@pytest.fixture
def sato(desk: Desk) -> str:
    """A resident who filed a notice for 15 January."""
    resident = desk.resident("2026-04-01", "2027-03-31")
    desk.do(file_notice, reservation_id=resident, move_out_on=day("2027-01-15"))
    return resident


def turnover(desk: Desk) -> TaskRecord:
    """The only turnover there is."""
    with desk.database.reading(desk.workspace_id) as session:
        only = session.scalars(select(Task.id).where(Task.kind == TaskKind.TURNOVER)).one()
        return task_record(session, only, ALL)


def somebody(desk: Desk) -> str:
    """Employ somebody who makes visits."""
    person = Person(email="k@x.example", name="中村", created_at=desk.clock.now(), locale="ja")
    with desk.database.across_workspaces_writing() as session:
        session.add(person)
        session.flush()
        person_id = person.id
    role = {"role": StaffRole.HOUSEKEEPING, "accepted_at": desk.clock.now()}
    desk.add(Member(person_id=person_id, **role))
    return person_id


def cancel(desk: Desk, task_id: str) -> None:
    desk.do(cancel_task, task_id=task_id, reason="不要になった", visibility=ALL)


def test_one_for_a_departure_that_comes_is_neither_cancelled_nor_moved_elsewhere(
    desk: Desk, sato: str
) -> None:
    task = turnover(desk)
    with pytest.raises(Refused, match="cleaning belongs to a move-out and would be"):
        cancel(desk, task.id)
    elsewhere = WrittenTask(unit_id=desk.room(), is_placed=True)
    with pytest.raises(Refused, match="unitId"):
        desk.do(edit_task, task_id=task.id, written=elsewhere, version=1, visibility=ALL)
    assert turnover(desk) == task


def test_a_begun_one_that_nobody_needs_goes_and_comes_again_with_another_notice(
    desk: Desk, sato: str
) -> None:
    task_id = turnover(desk).id
    desk.do(move_task, task_id=task_id, to=TaskState.DOING, visibility=ALL)
    desk.do(withdraw_notice, reservation_id=sato)
    cancel(desk, task_id)
    assert turnover(desk).cancelled_at is not None
    desk.do(restore_task, task_id=task_id, visibility=ALL)
    back = turnover(desk)
    assert (back.state, back.released_at) == (TaskState.DOING, desk.clock.now())
    cancel(desk, task_id)
    desk.do(file_notice, reservation_id=sato, move_out_on=day("2027-02-10"))
    again = turnover(desk)
    assert (again.id, again.state, again.released_at) == (task_id, TaskState.TODO, None)
    assert again.opens_on == day("2027-02-10")
    desk.do(move_task, task_id=task_id, to=TaskState.DONE, visibility=ALL)


def test_a_finished_one_whose_departure_comes_no_more_was_not_cancelled(
    desk: Desk, sato: str
) -> None:
    desk.do(move_task, task_id=turnover(desk).id, to=TaskState.DONE, visibility=ALL)
    desk.do(withdraw_notice, reservation_id=sato)
    done = turnover(desk)
    assert (done.state, done.leaving_id, done.cancelled_at) == (TaskState.DONE, None, None)


def test_an_untouched_one_takes_the_visit_along_that_was_planned_for_nothing_else(
    desk: Desk, sato: str
) -> None:
    trip = {"building_id": desk.building_id, "on_day": day("2027-01-15")}
    planned = {"person_id": somebody(desk), "task_ids": [turnover(desk).id]}
    desk.do(plan_visit, **trip, **planned)
    desk.do(withdraw_notice, reservation_id=sato)
    with desk.database.reading(desk.workspace_id) as session:
        assert not session.scalars(select(Visit)).all()
        events = select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.VISIT_CANCELLED)
        assert len(session.scalars(events).all()) == 1


def cancelled_at_once(desk: Desk) -> TaskRecord:
    """The turnover as a cancel leaves it that crossed with its departure coming back."""
    with desk.database.writing(desk.workspace_id) as session:
        gone = {"state": TaskState.DONE, "cancelled_at": desk.clock.now()}
        session.execute(update(Task).values(gone))
    return turnover(desk)


def test_a_cancelled_one_whose_departure_comes_is_healed_once(desk: Desk, sato: str) -> None:
    assert cancelled_at_once(desk).cancelled_at is not None
    with desk.database.writing(desk.workspace_id) as session:
        assert len(tend_turnovers(session, None, desk.clock).moved) == 1
    healed = turnover(desk)
    assert (healed.state, healed.cancelled_at) == (TaskState.TODO, None)
    with desk.database.writing(desk.workspace_id) as session:
        assert not tend_turnovers(session, None, desk.clock)
    assert turnover(desk) == healed


def test_a_cancelled_one_whose_departure_does_not_come_is_left_alone(desk: Desk, sato: str) -> None:
    cancelled = cancelled_at_once(desk)
    desk.do(withdraw_notice, reservation_id=sato)
    with desk.database.writing(desk.workspace_id) as session:
        assert not tend_turnovers(session, None, desk.clock)
    assert turnover(desk) == cancelled
