"""Signs a resident out everywhere but here."""

from flask import Response, url_for
from flask_babel import ngettext

from pms.access.portal_sessions import end_other_sessions
from pms.surfaces.hypermedia import go
from pms.surfaces.portals.portal import clock, portal
from pms.surfaces.signed_in import write_of_people
from pms.surfaces.visitor import visitor


def end_others(reservation_id: str) -> Response:
    """End every other session of this address."""
    at = portal()
    ended = write_of_people(
        lambda session: end_other_sessions(
            session,
            clock(),
            door=at.door,
            workspace_id=at.workspace_id,
            by=visitor(at.address),
            but=at.session_id,
        )
    )
    told = ngettext(
        "Signed out in %(num)d other place.", "Signed out in %(num)d other places.", ended
    )
    return go(url_for(".profile", reservation_id=reservation_id), said=told)
