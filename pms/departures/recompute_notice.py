"""Works the penalty of a filed notice out anew after a contract date was overridden."""

from sqlalchemy.orm import Session

from pms.departures.departing import departing
from pms.departures.filed_notice import FiledMoveOut, bill_penalty, notice_facts, set_figures
from pms.departures.notice_plan import plan_standing
from pms.foundation.audit import note_difference, subject_of
from pms.foundation.clock import Clock
from pms.reservations.changing import reservation_to_change
from pms.rules.deeds import Deed


def recompute_notice(
    session: Session, clock: Clock, actor: str, *, reservation_id: str
) -> FiledMoveOut | None:
    """Have the penalty follow the effective term as it is now; None without a notice.

    The days asked for stay as they are (specification, Contract dates; Move-out penalties), and
    rows are repriced by the override itself. Raises `Refused` when the move-out would come
    before the new start.
    """
    row = reservation_to_change(session, reservation_id)
    found = departing(session, row, clock.today())
    if found.notice is None:
        return None
    plan = plan_standing(session, clock, found)
    before = notice_facts(row, found.notice)
    set_figures(found.notice, plan, clock, actor)
    bill_penalty(session, clock, actor, found.notice, plan.penalty)
    after = notice_facts(row, found.notice)
    facts = {"before": before, "after": after}
    note_difference(session, clock, actor, Deed.NOTICE_RECOMPUTED, subject_of(row), **facts)
    return FiledMoveOut(found.notice, plan.penalty, ())
