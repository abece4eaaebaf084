"""Decides whether a reservation link may be accepted, and until when it opens."""

from datetime import date, datetime, timedelta

from pms.rules.days import ONE_DAY, day_start
from pms.rules.enumerations import ReservationLinkState


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
