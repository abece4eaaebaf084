"""Takes a fee that nothing uses out of the catalogue."""

from sqlalchemy.orm import Session

from pms.foundation.audit import facts_of, note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.pricing.fee_uses import fee_uses
from pms.rules.deeds import Deed
from pms.workspaces.fee_to_edit import fee_to_edit


def remove_fee(session: Session, clock: Clock, actor: str, fee_id: str) -> str:
    """Remove a fee and return its code; one in use keeps it (specification, Fee catalogue)."""
    row = fee_to_edit(session, fee_id)
    uses = fee_uses(session).get(row.code, 0)
    if uses:
        raise Refused(
            "fee: '{code}' is used {uses} times, so its code stays; change its label instead.",
            code=row.code,
            uses=uses,
        )
    note_deed(session, clock, actor, Deed.FEE_REMOVED, subject_of(row), before=facts_of(row))
    session.delete(row)
    session.flush()
    return row.code
