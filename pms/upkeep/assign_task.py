"""Gives a task to somebody, or to nobody."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed
from pms.upkeep.assignees import known_assignee
from pms.upkeep.known_task import task_to_change
from pms.upkeep.reach import Reach


def assign_task(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    task_id: str,
    assignee_id: str | None,
    reach: Reach,
) -> str | None:
    """Write whose task it is and return whose it was.

    Who meets only their own tasks takes one for themselves or gives it back; anything else, and
    a person who does not work here, is `Refused`.
    """
    if reach.person_id is not None and assignee_id not in (None, reach.person_id):
        raise Refused("assigneeId: you can take a task yourself or give it back.")
    task = task_to_change(session, task_id, reach)
    was = task.assignee_id
    task.assignee_id = known_assignee(session, assignee_id)
    if task.assignee_id != was:
        task.version += 1
        note_change(session, clock, actor, Deed.TASK_ASSIGNED, task)
    session.flush()
    return was
