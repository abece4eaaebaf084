"""Where the fees of the catalogue are used: on units, and in what residents agreed to."""

from collections import Counter
from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import UnitFee
from pms.pricing.models import PeriodFee
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
