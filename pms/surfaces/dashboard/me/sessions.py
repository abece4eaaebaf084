"""Ending one's own sessions, one by one or all at once."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from flask import Response, url_for
from flask_babel import gettext as _

from pms.access.revoke_session import revoke_session as revoke_session_verb
from pms.access.sign_out_everywhere import sign_out_everywhere as sign_out_everywhere_verb
from pms.surfaces.dashboard.desk import clock, desk
from pms.surfaces.hypermedia import go
from pms.surfaces.signed_in import signed_in, write_of_people
from pms.surfaces.visitor import visitor


@dashboard.post("/me/sessions/<session_id>/revocation", roles=EVERYBODY)
def revoke_session(session_id: str) -> Response:
    """End one session, such as on a lost phone."""
    by = visitor(desk().email)
    write_of_people(
        lambda session: revoke_session_verb(session, clock(), desk().person_id, session_id, by=by)
    )
    return go(url_for("dashboard.me"), said=_("That device is signed out."))


@dashboard.post("/me/sessions/revocation", roles=EVERYBODY)
def sign_out_everywhere() -> Response:
    """End all sessions but this one."""
    person = signed_in()
    but = person.session_id if person else None
    by = visitor(desk().email)
    write_of_people(
        lambda session: sign_out_everywhere_verb(session, clock(), desk().person_id, but=but, by=by)
    )
    return go(url_for("dashboard.me"), said=_("All other devices are signed out."))
