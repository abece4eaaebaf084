"""Takes a checklist back, so that the one above it counts again."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.rules.enumerations import TaskKind
from pms.upkeep.checklists import checklist_record
from pms.upkeep.write_checklist import told_points, written_checklist


def remove_checklist(
    session: Session, clock: Clock, actor: str, *, kind: TaskKind, building_id: str | None
) -> None:
    """Have the workspace's list count again in a building, or the first list everywhere."""
    before = checklist_record(session, kind, building_id)
    row = written_checklist(session, kind, building_id)
    if row is None:
        return
    session.delete(row)
    session.flush()
    after = checklist_record(session, kind, building_id)
    about = ("checklist_template", before.id)
    was, told = ({"points": told_points(one.points)} for one in (before, after))
    note_deed(session, clock, actor, Deed.CHECKLIST_WRITTEN, about, before=was, after=told)
    session.flush()
