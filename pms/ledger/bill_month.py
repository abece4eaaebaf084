"""Bills the rent of a workspace through a month, as often as it is started (Money 5; Stub rule)."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_workspace
from pms.foundation.clock import Clock
from pms.ledger.billing_plan import BilledMonth, plan_month, reservations_to_bill
from pms.ledger.opening import use_opening_credits
from pms.ledger.posting import post_entries
from pms.reservations.locks import lock_reservations
from pms.rules.billing_calendar import billed_through_on
from pms.rules.deeds import Deed
from pms.workspaces.queries import policy

CHUNK = 500


def bill_month(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_ids: Sequence[str] | None = None,
    through_on: date | None = None,
) -> BilledMonth:
    """Write every row of rent that is missing through the month of a day, as of today.

    What cannot be billed is reported and stops nothing. An overpayment that came along with a
    tenancy taken over pays what the run issues. A long run asks `reservations_to_bill`
    first and commits after each part of it: killed, it is finished by the next one.
    """
    on = clock.today()
    through_on = through_on or billed_through_on(on, policy(session))
    wanted = reservations_to_bill(session, through_on, reservation_ids)
    billed = BilledMonth(through_on)
    for first in range(0, len(wanted), CHUNK):
        ids = wanted[first : first + CHUNK]
        lock_reservations(session, ids)
        plan = plan_month(session, ids, on, through_on)
        entry_ids = post_entries(session, clock, actor, plan.entries)
        issued: defaultdict[str, list[str]] = defaultdict(list)
        for id_, entry in zip(entry_ids, plan.entries, strict=True):
            issued[entry.reservation_id].append(id_)
        use_opening_credits(session, clock, issued)
        billed = billed.with_plan(plan)
    if billed.entries:
        told = {
            "through_on": through_on,
            "reservations": billed.reservations,
            "entries": billed.entries,
            "total_yen": billed.total_yen,
        }
        note_deed(session, clock, actor, Deed.RENT_BILLED, of_workspace(session), after=told)
    return billed
