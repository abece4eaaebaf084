"""What tests of tasks share: the builders of a task, and how it stands."""

from typing import Any

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.enumerations import TaskKind, TaskState
from pms.upkeep.moves import MovedTask, move_task
from pms.upkeep.task_record import TaskRecord, task_record
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.tasks import WantedTask, add_task
from tests.cast import House

OFFICE = "person/office"
EVERYTHING = TaskVisibility.everything()


def add(session: WorkspaceSession, clock: Clock, house: House, **given: Any) -> str:
    """Add a cleaning of room 102, which is free."""
    usual: dict[str, Any] = {
        "kind": TaskKind.CLEANING,
        "building_id": house.building_id,
        "unit_id": house.free_room_id,
    }
    return add_task(Work(session, clock, OFFICE), wanted=WantedTask(**usual | given))


def added(database: Database, clock: Clock, house: House, **given: Any) -> str:
    """Add a task in a transaction of its own."""
    with database.writing(house.workspace_id) as session:
        return add(session, clock, house, **given)


def move(
    session: WorkspaceSession, clock: Clock, task_id: str, to: TaskState, **given: Any
) -> MovedTask:
    """Move a task, by the office unless told otherwise."""
    actor = given.pop("actor", OFFICE)
    visibility = given.pop("visibility", EVERYTHING)
    return move_task(
        Work(session, clock, actor), task_id=task_id, to=to, visibility=visibility, **given
    )


def read(database: Database, house: House, task_id: str) -> TaskRecord:
    """Return the task as it is stored."""
    with database.reading(house.workspace_id) as session:
        return task_record(session, task_id, EVERYTHING)
