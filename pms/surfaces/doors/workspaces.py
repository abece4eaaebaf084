"""Where someone works: the one workspace at once, of several the one they choose."""

from flask import Response, url_for

from pms.surfaces.hypermedia import go, page
from pms.surfaces.signed_in import signed_in


def show() -> Response:
    """Go on to the only workspace, or let one be chosen."""
    person = signed_in()
    if person is None:
        return go(url_for("doors.sign_in"))
    if len(person.memberships) == 1:
        return go(url_for("dashboard.today", workspace=person.memberships[0].slug))
    return page("doors/workspaces.html", person=person)
