"""Corrects what a project is called, what it says, and which unit it is about."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, checked_text, needed_text
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.rules.deeds import Deed
from pms.upkeep.checked_place import checked_place
from pms.upkeep.first_line import LONGEST_TITLE
from pms.upkeep.upkeep_in_hand import project_in_hand


def edit_project(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    project_id: str,
    title: str | None,
    description: str | None,
    unit_id: str | None,
    version: int,
) -> int:
    """Return the next version; the building stays, as reports and charges are of it.

    Raises `Collision` when somebody else saved meanwhile.
    """
    row = project_in_hand(session, project_id)
    if row.version != version:
        raise Collision("Somebody else changed this project meanwhile. Look at it again.")
    _building, unit = checked_place(session, row.building_id, unit_id)
    row.title = needed_text("title", title, LONGEST_TITLE)
    row.description = checked_text("description", description, LONGEST_TEXT)
    row.unit_id = unit
    row.version += 1
    note_change(session, clock, actor, Deed.PROJECT_EDITED, row)
    session.flush()
    return row.version
