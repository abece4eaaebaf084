"""Takes a forced flag back (specification, Month to month, Forced flag cleared)."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.reservations.changing import mark_changed, reservation_to_change
from pms.reservations.models import ForcedMonthToMonth
from pms.rules.deeds import Deed


def clear_forced_month_to_month(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    expected_version: int | None = None,
) -> ForcedMonthToMonth:
    """Have the tenancy follow its dates again; raise `Refused` when no flag is set."""
    row = reservation_to_change(session, reservation_id, expected_version)
    flag = session.scalar(
        select(ForcedMonthToMonth).where(
            ForcedMonthToMonth.reservation_id == row.id, ForcedMonthToMonth.cleared_at.is_(None)
        )
    )
    if flag is None:
        raise Refused("monthToMonth: the tenancy is not forced, so there is nothing to clear.")
    flag.cleared_at, flag.cleared_by = clock.now(), actor
    row.forced_on = None
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, Deed.MONTH_TO_MONTH_CLEARED, row)
    session.flush()
    return flag
