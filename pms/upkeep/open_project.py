"""Opens a maintenance project under the next number of the workspace."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, checked_text, needed_text
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.numbering import take_count
from pms.rules.deeds import Deed
from pms.upkeep.checked_place import checked_place
from pms.upkeep.first_line import LONGEST_TITLE
from pms.upkeep.models import MaintenanceProject


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedProject:
    """Where work is to be done and what; the unit stays empty for the shared areas."""

    building_id: str | None
    title: str | None
    unit_id: str | None = None
    description: str | None = None


def open_project(session: Session, clock: Clock, actor: str, *, wanted: WantedProject) -> str:
    """Store the project and return its id; raise `Refused` without a title or a place of ours.

    Numbers follow one another within a workspace and none is given out twice.
    """
    building_id, unit_id = checked_place(session, wanted.building_id, wanted.unit_id)
    row = MaintenanceProject(
        id=new_id(),
        title=needed_text("title", wanted.title, LONGEST_TITLE),
        description=checked_text("description", wanted.description, LONGEST_TEXT),
        building_id=building_id,
        unit_id=unit_id,
        opened_at=clock.now(),
        opened_by=actor,
        number=take_count(session, "project"),
    )
    session.add(row)
    note_change(session, clock, actor, Deed.PROJECT_OPENED, row)
    session.flush()
    return row.id
