"""Decides whether a reservation link may be accepted, and whether its unit may still be had."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from pms.rules.availability import Availability, decide
from pms.rules.contract_dates import Term
from pms.rules.days import ONE_DAY, RecordedDay, day_start
from pms.rules.enumerations import ReservationLinkState
from pms.rules.policy import Policy
from pms.rules.stays import Block, Stay, known_end


def reservation_link_state(
    *,
    now: datetime,
    expires_at: datetime,
    revoked_at: datetime | None,
    accepted_at: datetime | None,
) -> ReservationLinkState:
    """Return where a link stands (specification, Surfaces: Reservation link).

    What was accepted stays accepted; at the very instant of its end a link is expired.
    """
    if accepted_at is not None:
        return ReservationLinkState.ACCEPTED
    if revoked_at is not None:
        return ReservationLinkState.REVOKED
    return ReservationLinkState.EXPIRED if now >= expires_at else ReservationLinkState.LIVE


def link_expires_at(now: datetime, valid_days: int, move_in_on: date) -> datetime:
    """Return when a link ends: after so many days, and with the move-in day at the latest."""
    return min(now + timedelta(days=valid_days), day_start(move_in_on + ONE_DAY))


def is_offerable(availability: Availability, move_in_on: date) -> bool:
    """Whether a unit may be offered from a day: confirmed free by then (List units).

    A possibly available unit is never offered, nor one that is reserved, blocked or occupied.
    """
    offered_from = availability.move_in_from
    return offered_from is not None and offered_from <= move_in_on


def availability_for(
    stays: Iterable[Stay],
    blocks: Iterable[Block],
    today: date,
    policy: Policy,
    term: Term,
) -> Availability:
    """The availability of a unit for the days of one contract (Availability, State table).

    Whoever is gone before it or comes after it does not stand in the way; a day nobody can read
    does, and without a contract end so does everybody to come.
    """
    turnover = timedelta(days=policy.turnover_days)
    free_again_on = term.end_on + turnover if term.end_on else date.max
    met = [
        stay
        for stay in stays
        if not _is_within(stay.start_on, free_again_on, date.max)
        and not _is_within(known_end(stay), date.min, term.start_on - turnover)
    ]
    held = [
        block
        for block in blocks
        if not (term.end_on and _is_within(block.first_on, free_again_on + ONE_DAY, date.max))
        and not _is_within(block.last_on, date.min, term.start_on - ONE_DAY)
    ]
    return decide(met, held, today, policy)


def _is_within(day: RecordedDay, first_on: date, last_on: date) -> bool:
    return isinstance(day, date) and first_on <= day <= last_on
