"""Signing out of a portal."""

from functools import partial

from flask import Response, url_for
from flask_babel import gettext as _

from pms.access.sign_out import sign_out as end_session
from pms.rules.enumerations import Door
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import held_session, sign_out, write_of_people
from pms.surfaces.visitor import visitor


def leave() -> Response:
    """End this session; a stranger who asks is told the same."""
    end_former_sessions(is_asked=True)
    sign_out()
    response = go(url_for(".sign_in"), said=_("You are signed out."))
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def end_former_sessions(*, is_asked: bool = False) -> None:
    """End what this browser holds: nobody can reach it any more once it holds another one.

    The record of sign-ins tells only of what was asked for.
    """
    for door in Door:
        former = held_session(door)
        if former is not None:
            by = visitor(former.address) if is_asked else None
            write_of_people(partial(end_session, clock=clock(), session_id=former.id, by=by))
