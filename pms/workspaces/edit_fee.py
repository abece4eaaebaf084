"""Edits a fee of the catalogue; what was agreed or billed before keeps its own figures."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.workspaces.fee_to_edit import fee_to_edit
from pms.workspaces.written_fee import WrittenFee, checked_fee


def edit_fee(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    fee_id: str,
    version: int,
    written: WrittenFee,
) -> int:
    """Write a fee anew, its code aside, and return the version (specification, Fee catalogue)."""
    row = fee_to_edit(session, fee_id, version)
    changed = {
        name: value for name, value in checked_fee(written).items() if value != getattr(row, name)
    }
    if changed:
        for name, value in changed.items():
            setattr(row, name, value)
        row.version += 1
        note_change(session, clock, actor, Deed.FEE_EDITED, row)
        session.flush()
    return row.version
