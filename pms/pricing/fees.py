"""Fees and their uses."""

from collections import Counter
from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import UnitFee
from pms.foundation.audit import facts_of, note_audit_event, subject_of
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.pricing.models import PeriodFee
from pms.rules.audit_events import AuditEvent
from pms.workspaces.fees import fee_to_edit
from pms.workspaces.models import Fee


def fee_uses(session: Session) -> Mapping[str, int]:
    """Return how many units and price periods name each fee, by its code; two questions."""
    on_units = (
        select(Fee.code, func.count(UnitFee.id))
        .join(UnitFee, (UnitFee.workspace_id == Fee.workspace_id) & (UnitFee.fee_id == Fee.id))
        .group_by(Fee.code)
    )
    in_prices = select(PeriodFee.code, func.count(PeriodFee.id)).group_by(PeriodFee.code)
    uses: Counter[str] = Counter()
    for question in (on_units, in_prices):
        for code, count in session.execute(question):
            uses[code] += count
    return uses


def remove_fee(work: Work, fee_id: str) -> str:
    """Remove a fee and return its code; one in use keeps it (specification, Fee catalogue)."""
    row = fee_to_edit(work.session, fee_id)
    uses = fee_uses(work.session).get(row.code, 0)
    if uses:
        raise Refused(
            "fee: '{code}' is used {uses} times, so its code stays; change its label instead.",
            code=row.code,
            uses=uses,
        )
    note_audit_event(work, AuditEvent.FEE_REMOVED, subject_of(row), before=facts_of(row))
    work.session.delete(row)
    work.session.flush()
    return row.code
