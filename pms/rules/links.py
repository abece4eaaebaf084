"""Share links and reservation links."""

from datetime import date, datetime, timedelta

from pms.rules.days import ONE_DAY, day_start
from pms.rules.enumerations import ProjectState, ReservationLinkState, ShareLinkState


def reservation_link_state(
    *,
    now: datetime,
    expires_at: datetime,
    revoked_at: datetime | None,
    accepted_at: datetime | None,
) -> ReservationLinkState:
    """Return the state of a link (specification, Surfaces: Reservation link).

    An accepted link stays accepted; at the exact instant of its end a link is expired.
    """
    if accepted_at is not None:
        return ReservationLinkState.ACCEPTED
    if revoked_at is not None:
        return ReservationLinkState.REVOKED
    return ReservationLinkState.EXPIRED if now >= expires_at else ReservationLinkState.LIVE


def link_expires_at(now: datetime, valid_days: int, move_in_on: date) -> datetime:
    """Return when a link ends: after `valid_days`, at the latest with the move-in day."""
    return min(now + timedelta(days=valid_days), day_start(move_in_on + ONE_DAY))


def share_link_state(
    *,
    today: date,
    expires_on: date | None,
    revoked_at: datetime | None,
    project: ProjectState,
) -> ShareLinkState:
    """Return whether the link is live; its last day counts until its end in Japan.

    Reopening a project reopens its links, except those that expired.
    """
    if revoked_at is not None:
        return ShareLinkState.REVOKED
    if expires_on is not None and today > expires_on:
        return ShareLinkState.EXPIRED
    if project is not ProjectState.OPEN:
        return ShareLinkState.PROJECT_ENDED
    return ShareLinkState.LIVE
