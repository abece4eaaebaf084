"""Signing out, which asks first while the device holds what was not sent yet."""

from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.access.sign_out import sign_out as end_session
from pms.rules.enumerations import Door
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import held_session, sign_out, write_of_people
from pms.surfaces.visitor import visitor

_WAITING: Final = "waiting"  # the script of the pages of work writes how many taps wait


def leave() -> Response:
    """End this session; a stranger who asks is told the same."""
    held = held_session(Door.STAFF)
    waiting = _waiting()
    if held is not None and waiting and "anyway" not in request.form:
        response = page("doors/leaving.html", waiting=waiting)
        response.status_code = UNACCEPTED
        return response
    if held is not None:
        write_of_people(
            lambda session: end_session(session, clock(), held.id, by=visitor(held.address))
        )
    sign_out()
    response = go(url_for("doors.sign_in"), said=_("You are signed out."))
    # What this browser kept of pages behind the door goes too: copies, and taps that wait.
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    response.delete_cookie(_WAITING)
    return response


def _waiting() -> int:
    told = request.cookies.get(_WAITING, "")
    return int(told) if told.isascii() and told.isdigit() and len(told) < 6 else 0
