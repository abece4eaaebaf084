"""Edits what is written of a building."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_facts import checked_building
from pms.catalogue.editing import refuse_taken, row_to_edit, write_columns
from pms.catalogue.models import Building
from pms.catalogue.names import building_key
from pms.catalogue.written_facts import WrittenBuilding
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def edit_building(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    building_id: str,
    version: int,
    written: WrittenBuilding,
) -> int:
    """Write a building anew and return its version; its address on the website stays.

    Raises `Collision` when it changed since it was seen, and for the name of another building.
    """
    row = row_to_edit(session, Building, building_id, version)
    columns = checked_building(written)
    key = building_key(columns["name"])
    others = select(Building.id).where(Building.name_key == key, Building.id != building_id)
    refuse_taken(session, columns["name"], others)
    write_columns(session, clock, actor, Deed.BUILDING_EDITED, row, columns=columns)
    return row.version
