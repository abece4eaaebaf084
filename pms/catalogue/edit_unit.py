"""Edits what is written of a unit."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_facts import checked_unit
from pms.catalogue.editing import refuse_taken, row_to_edit, write_columns
from pms.catalogue.models import Unit
from pms.catalogue.names import room_key
from pms.catalogue.written_facts import WrittenUnit
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def edit_unit(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    unit_id: str,
    version: int,
    written: WrittenUnit,
) -> int:
    """Write a unit anew and return its version; what was agreed with residents stays as it is.

    Raises `Collision` when it changed since it was seen, and for the name of another room.
    """
    row = row_to_edit(session, Unit, unit_id, version)
    columns = checked_unit(written)
    others = select(Unit.id).where(
        Unit.building_id == row.building_id,
        Unit.name_key == room_key(columns["name"]),
        Unit.id != unit_id,
    )
    refuse_taken(session, columns["name"], others)
    write_columns(session, clock, actor, Deed.UNIT_EDITED, row, columns=columns)
    return row.version
