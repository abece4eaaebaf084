"""Notes when the guests come and that they agree to the rules of the house."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import shown
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.check_in import is_clock_time
from pms.stays.guests_in_hand import begun_stay, has_begun, settle_check_in
from pms.stays.links_in_hand import link_in_hand
from pms.stays.stay_terms import stay_terms


def plan_arrival(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    link_id: str,
    arrival_time: str | None,
    accepts_rules: bool,
) -> None:
    """Write the time of arrival and finish the check-in if the register is complete too.

    Who agreed once has agreed. Raises `Refused` when there are rules and nobody agrees, and, once
    the stay has begun, for moving an arrival that was told.
    """
    link = link_in_hand(session, link_id)
    terms = stay_terms(session)
    if arrival_time is None or not is_clock_time(arrival_time):
        raise Refused(
            "arrivalTime: '{value}' is no time of the clock such as 15:00.",
            value=shown(arrival_time or ""),
        )
    is_moved = link.arrival_time not in (None, arrival_time)
    if is_moved and has_begun(session, clock, link, terms):
        raise begun_stay()
    if terms.has_rules and not accepts_rules and link.rules_accepted_at is None:
        raise Refused("acceptsRules: nobody can stay who does not agree to the rules.")
    link.arrival_time = arrival_time
    if terms.has_rules and link.rules_accepted_at is None:
        link.rules_accepted_at = clock.now()
    settle_check_in(session, clock, actor, link, terms)
