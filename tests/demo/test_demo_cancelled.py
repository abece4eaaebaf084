"""The demo shows a task that was entered twice and cancelled."""

from sqlalchemy import not_, select

from pms.foundation.database import Database
from pms.upkeep.models import Task, TaskNote
from pms.upkeep.task_visibility import STANDS
from tests.demo.test_demo_workspaces import Seeded


def test_each_workspace_has_one_cancelled_task_with_its_reason(
    database: Database, seeded: Seeded
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            task_id = session.scalars(select(Task.id).where(not_(STANDS))).one()
            assert session.scalars(select(TaskNote.text).where(TaskNote.task_id == task_id)).one()
