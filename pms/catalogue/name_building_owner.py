"""Names who owns a building."""

from sqlalchemy.orm import Session

from pms.catalogue.editing import row_to_edit, write_columns
from pms.catalogue.models import Building, Owner
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def name_building_owner(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    building_id: str,
    owner_id: str | None,
    version: int | None = None,
) -> int:
    """Give a building its owner, or none, and return its version.

    Statements that are published keep the owner they were made for.
    """
    row = row_to_edit(session, Building, building_id, version)
    if owner_id is not None:
        row_to_edit(session, Owner, owner_id)
    columns = {"owner_id": owner_id}
    write_columns(session, clock, actor, Deed.BUILDING_OWNER_NAMED, row, columns=columns)
    return row.version
