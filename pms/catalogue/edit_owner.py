"""Edits what is written of an owner."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_facts import checked_owner
from pms.catalogue.editing import row_to_edit, write_columns
from pms.catalogue.models import Owner
from pms.catalogue.written_facts import WrittenOwner
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def edit_owner(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    owner_id: str,
    version: int,
    written: WrittenOwner,
) -> int:
    """Write an owner anew and return the version; `Collision` when it changed since it was seen."""
    row = row_to_edit(session, Owner, owner_id, version)
    write_columns(session, clock, actor, Deed.OWNER_EDITED, row, columns=checked_owner(written))
    return row.version
