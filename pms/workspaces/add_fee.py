"""Adds a fee to the catalogue of a workspace."""

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.workspaces.models import Fee
from pms.workspaces.written_fee import WrittenFee, checked_code, checked_fee


def add_fee(
    session: Session, clock: Clock, actor: str, *, code: str | None, written: WrittenFee
) -> str:
    """Store a fee under a code of its own and return its id (specification, Fee catalogue)."""
    code = checked_code(code)
    if session.scalar(select(Fee.id).where(Fee.code == code)) is not None:
        raise Collision("code: '{value}' is there already; take another code.", value=code)
    row = Fee(id=new_id(), code=code, **checked_fee(written))
    session.add(row)
    note_change(session, clock, actor, Deed.FEE_ADDED, row)
    try:
        session.flush()
    except IntegrityError as clash:
        raise Collision("code: somebody else took this code at the same moment.") from clash
    return row.id
