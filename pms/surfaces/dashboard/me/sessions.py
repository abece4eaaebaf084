"""Ending one's own sessions, one by one or all at once."""

from flask import Response, url_for
from flask_babel import gettext as _

from pms.access.revoke_session import revoke_session
from pms.access.sign_out_everywhere import sign_out_everywhere
from pms.surfaces.dashboard.desk import clock, desk
from pms.surfaces.hypermedia import go
from pms.surfaces.signed_in import signed_in, write_of_people
from pms.surfaces.visitor import visitor


def revoke(session_id: str) -> Response:
    """End one session, such as on a lost phone."""
    by = visitor(desk().email)
    write_of_people(
        lambda session: revoke_session(session, clock(), desk().person_id, session_id, by=by)
    )
    return go(url_for("dashboard.me"), said=_("That device is signed out."))


def end_all() -> Response:
    """End all sessions but this one."""
    person = signed_in()
    but = person.session_id if person else None
    by = visitor(desk().email)
    write_of_people(
        lambda session: sign_out_everywhere(session, clock(), desk().person_id, but=but, by=by)
    )
    return go(url_for("dashboard.me"), said=_("All other devices are signed out."))
