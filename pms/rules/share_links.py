"""Decides whether a contractor's link opens its project today (specification, Surfaces)."""

from datetime import date, datetime

from pms.rules.enumerations import ProjectState, ShareLinkState


def share_link_state(
    *,
    today: date,
    expires_on: date | None,
    revoked_at: datetime | None,
    project: ProjectState,
) -> ShareLinkState:
    """Return whether the link is live; its last day counts through its end in Japan.

    A project that is taken up again opens its links again, but for those that ended by themselves.
    """
    if revoked_at is not None:
        return ShareLinkState.REVOKED
    if expires_on is not None and today > expires_on:
        return ShareLinkState.EXPIRED
    if project is not ProjectState.OPEN:
        return ShareLinkState.PROJECT_ENDED
    return ShareLinkState.LIVE
