"""Takes a fee in hand to change it: locked, and still as it was seen."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import Collision, NotFound
from pms.foundation.ids import is_id
from pms.workspaces.models import Fee


def fee_to_edit(session: Session, fee_id: str, version: int | None = None) -> Fee:
    """Return the fee, locked; raise `NotFound`, or `Collision` when it is not as it was seen."""
    row = None
    if is_id(fee_id):
        row = session.scalar(
            select(Fee)
            .where(Fee.id == fee_id)
            .with_for_update(key_share=True)
            .execution_options(populate_existing=True)
        )
    if row is None:
        raise NotFound("There is no such fee.")
    if version is not None and row.version != version:
        raise Collision(
            "version: this was seen as version {seen} and is now version {now}; look at it again.",
            seen=version,
            now=row.version,
        )
    return row
