"""Writes something down about a task."""

from typing import Final

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import needed_text
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.sent_once import is_new
from pms.rules.deeds import Deed
from pms.upkeep.cancelled_tasks import refuse_if_cancelled
from pms.upkeep.known_task import task_in_hand
from pms.upkeep.models import TaskNote
from pms.upkeep.reach import Reach

LONGEST_NOTE: Final = 2_000


def write_task_note(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    task_id: str,
    text: str | None,
    reach: Reach,
    key: str | None = None,
) -> None:
    """Store the note below those that stand; raise `Refused` when it says nothing."""
    written = needed_text("text", text, LONGEST_NOTE)
    task = task_in_hand(session, task_id, reach)
    if not is_new(session, clock, actor, key):
        return
    refuse_if_cancelled(task)
    session.add(TaskNote(id=new_id(), task_id=task.id, text=written, at=clock.now(), by=actor))
    note_deed(session, clock, actor, Deed.TASK_NOTED, ("task", task.id), after={"note": written})
    session.flush()
