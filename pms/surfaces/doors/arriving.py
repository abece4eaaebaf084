"""Lets someone in: the browser holds the session, and goes on to where it wanted to be."""

from flask import Response, current_app, request, url_for

from pms.access.open_session import OpenedSession
from pms.access.sign_out import sign_out
from pms.foundation.settings import Settings
from pms.rules.enumerations import Door
from pms.surfaces.doors.way_back import go_back, remember_way_back
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import held_session, sign_in, write_of_people
from pms.surfaces.visitor import remember_device

SETTINGS = "pms.doors.settings"


def arrive(opened: OpenedSession, back: str | None) -> Response:
    """Return the next page of someone who has just proved who they are."""
    _end_former()
    sign_in(opened)
    if opened.waits_for_factor:
        remember_way_back(back)
        return go(url_for("doors.second_factor"))
    settings: Settings = current_app.extensions[SETTINGS]
    response = remember_device(go_back(back), opened.address)
    if opened.locale and "lang" not in request.cookies:
        response.set_cookie(
            "lang",
            opened.locale,
            max_age=365 * 24 * 60 * 60,
            secure=settings.has_secure_cookies,
            httponly=True,
            samesite="Lax",
        )
    return response


def _end_former() -> None:
    # Nobody can reach it any more once the browser holds another one.
    former = held_session(Door.STAFF)
    if former is not None:
        write_of_people(lambda session: sign_out(session, clock(), former.id))
