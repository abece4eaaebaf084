"""What is done about upkeep locks rows in one order, so that two audit events never wait for each other."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import event

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Problem
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.enumerations import ProjectState
from pms.upkeep.projects import end_project, reopen_project
from pms.upkeep.reported_words import unfold_request
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.tasks import cancel_task, restore_task
from pms.upkeep.visit_changes import add_to_visit, move_visit, plan_visit
from tests.cast import Cast
from tests.staff import Staff
from tests.upkeep.task_desk import added
from tests.upkeep.works import Works

pytestmark = pytest.mark.only_on("postgresql")

# As docs/decisions/locks-and-retries.md writes it.
ORDER = ("maintenance_project", "building", "visit", "task", "maintenance_request", "ticket")
OFFICE, ALL = "person/office", TaskVisibility.everything()
ON, LATER = date(2026, 11, 24), date(2026, 11, 25)
PATIENCE_SECONDS = 60.0
ROUNDS = 6
_LOCKED = re.compile(r"FROM (\w+).*FOR (?:NO KEY )?UPDATE", re.DOTALL)
AuditEvent = Callable[[WorkspaceSession], object]


class Yard:
    """A project with a report and two tasks, each in the visit of another person."""

    def __init__(self, works: Works, staff: Staff) -> None:
        self.works = works
        self.database, self.workspace_id = works.database, works.house.workspace_id
        self.people = (staff.maintenance_id, staff.housekeeping_id)
        self.report = works.report()
        self.project = works.fold(self.report, title="給湯器")
        self.tasks = [
            added(works.database, works.clock, works.house, project_id=self.project)
            for _ in range(3)
        ]
        self.visits = [
            self.do(self.planning(person, task))
            for person, task in zip(self.people, self.tasks, strict=False)
        ]

    def do(self, audit_event: AuditEvent) -> Any:
        """Do an audit event in a transaction of its own, which is not tried again."""
        with self.database.writing(self.workspace_id) as session:
            return audit_event(session)

    def planning(self, person: str, *tasks: str, on: date = ON) -> AuditEvent:
        return lambda session: plan_visit(
            Work(session, self.works.clock, OFFICE),
            person_id=person,
            building_id=self.works.house.building_id,
            on_day=on,
            task_ids=tasks,
            may_take_over=True,
        )

    def cancelling(self, task: str) -> AuditEvent:
        given: dict[str, Any] = {"task_id": task, "reason": "doppelt", "visibility": ALL}
        return lambda session: cancel_task(Work(session, self.works.clock, OFFICE), **given)

    def restoring(self, task: str) -> AuditEvent:
        given: dict[str, Any] = {"task_id": task, "visibility": ALL}
        return lambda session: restore_task(Work(session, self.works.clock, OFFICE), **given)

    def ending(self) -> AuditEvent:
        given: dict[str, Any] = {"project_id": self.project, "into": ProjectState.CANCELLED}
        return lambda session: end_project(Work(session, self.works.clock, OFFICE), **given)

    def reopening(self) -> AuditEvent:
        return lambda session: reopen_project(
            Work(session, self.works.clock, OFFICE), project_id=self.project
        )


@pytest.fixture
def yard(database: Database, clock: FixedClock, cast: Cast, staff: Staff) -> Yard:
    return Yard(Works(database, clock, cast.sumida), staff)


def locked_tables(yard: Yard, audit_event: AuditEvent) -> list[str]:
    """Return the tables an audit event locks rows of, in the order it does."""
    found: list[str] = []

    def watch(_: object, __: object, statement: str, *more: object) -> None:
        if (locked := _LOCKED.search(statement)) and locked[1] in ORDER:
            found.append(locked[1])

    event.listen(yard.database.engine, "before_cursor_execute", watch)
    try:
        yard.do(audit_event)
    finally:
        event.remove(yard.database.engine, "before_cursor_execute", watch)
    return found


def first_locks(tables: list[str]) -> list[int]:
    return [ORDER.index(table) for table in dict.fromkeys(tables)]


@pytest.mark.parametrize(
    "name", ["restore", "plan", "plan anew", "add", "move", "end", "cancel", "unfold"]
)
def test_every_audit_event_locks_the_tables_in_the_written_order(yard: Yard, name: str) -> None:
    clock, (first, second) = yard.works.clock, yard.people
    yard.do(yard.cancelling(yard.tasks[2]))
    joined: dict[str, Any] = {
        "visit_id": yard.visits[0],
        "task_ids": yard.tasks[1:2],
        "may_take_over": True,
    }
    audit_events: dict[str, AuditEvent] = {
        "restore": yard.restoring(yard.tasks[2]),
        "plan": yard.planning(first, yard.tasks[1]),
        "plan anew": yard.planning(second, yard.tasks[0], on=LATER),
        "add": lambda session: add_to_visit(Work(session, clock, OFFICE), **joined, visibility=ALL),
        "move": lambda session: move_visit(
            Work(session, clock, OFFICE), visit_id=str(yard.visits[0]), on_day=LATER, visibility=ALL
        ),
        "end": yard.ending(),
        "cancel": yard.cancelling(yard.tasks[0]),
        "unfold": lambda session: unfold_request(
            Work(session, clock, OFFICE), request_id=yard.report
        ),
    }
    tables = locked_tables(yard, audit_events[name])
    assert tables
    assert first_locks(tables) == sorted(first_locks(tables)), tables


def at_once(yard: Yard, *audit_events: AuditEvent) -> None:
    start = Barrier(len(audit_events))

    def do(audit_event: AuditEvent) -> None:
        start.wait(PATIENCE_SECONDS)
        with suppress(Problem):
            yard.do(audit_event)

    with ThreadPoolExecutor(len(audit_events)) as threads:
        for one in [threads.submit(do, audit_event) for audit_event in audit_events]:
            one.result()


def test_a_task_comes_back_while_its_project_ends_and_nobody_is_given_up(yard: Yard) -> None:
    task = yard.tasks[2]
    for _ in range(ROUNDS):
        yard.do(yard.cancelling(task))
        at_once(yard, yard.restoring(task), yard.ending(), yard.planning(yard.people[0], task))
        yard.do(yard.reopening())
        yard.do(yard.restoring(task))


def test_two_who_take_each_others_tasks_over_wait_and_are_not_given_up(yard: Yard) -> None:
    one, other = yard.people
    first, second, third = yard.tasks
    for _ in range(ROUNDS):
        at_once(
            yard,
            yard.planning(one, second, third),
            yard.planning(other, first, third),
            yard.planning(one, first, second, on=LATER),
            yard.planning(other, third, second, on=LATER),
        )
