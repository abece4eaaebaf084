"""The gate of the sign-in pages, kept texts, choosing a workspace, and signing out."""

from typing import Final

from flask import Blueprint, Response, request, url_for
from flask_babel import gettext as _
from flask_wtf.csrf import CSRFError

from pms.access import own_sessions, sessions
from pms.rules.enumerations import Door
from pms.surfaces.auth.blueprint import blueprint
from pms.surfaces.hypermedia import UNACCEPTED, go, page, safe_path
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import doorway, held_session, sign_out, signed_in, write_of_people
from pms.surfaces.visitor import visitor


def guard(blueprint: Blueprint) -> None:
    """Say what to do about a stale form, and let nobody keep a page of the doors."""

    @blueprint.errorhandler(CSRFError)
    def tell_stale(_: CSRFError) -> Response:
        response = page("auth/stale.html")
        response.status_code = 400
        return response

    @blueprint.after_request
    def keep_private(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        return response


_SHOWN = 8


@blueprint.get("/sign-in/kept/<token>", endpoint="kept_text")
def show_kept_text(token: str) -> Response:
    """The page with the kept text, ready to be sent now."""
    person = signed_in()
    if person is None:
        return go(url_for("auth.sign_in", kept=token))
    with doorway().reading() as session:
        kept = sessions.kept_form(session, clock(), token=token, person_id=person.person_id)
    if kept is None or safe_path(kept.path) is None:
        return go(url_for("auth.workspaces"))
    texts = [text for _, text in kept.fields if text.strip()]
    # What cannot be sent is there to be copied: the longest texts, which took the most typing.
    shown = texts if kept.is_whole else sorted(texts, key=len, reverse=True)
    return page("auth/kept_text.html", kept=kept, texts=shown[:_SHOWN])


@blueprint.get("/workspaces", endpoint="workspaces")
def show_workspaces() -> Response:
    """Go on to the only workspace, or let one be chosen."""
    person = signed_in()
    if person is None:
        return go(url_for("auth.sign_in"))
    if len(person.memberships) == 1:
        return go(url_for("dashboard.today", workspace=person.memberships[0].slug))
    return page("auth/workspaces.html", person=person)


_WAITING: Final = "waiting"  # the script of the pages of work writes how many taps wait


@blueprint.post("/sign-out", endpoint="sign_out")
def leave() -> Response:
    """End this session; a stranger who asks is told the same."""
    held = held_session(Door.STAFF)
    waiting = _waiting()
    if held is not None and waiting and "anyway" not in request.form:
        response = page("auth/leaving.html", waiting=waiting)
        response.status_code = UNACCEPTED
        return response
    if held is not None:
        write_of_people(
            lambda session: own_sessions.sign_out(
                session, clock(), held.id, by=visitor(held.address)
            )
        )
    sign_out()
    response = go(url_for("auth.sign_in"), message=_("You are signed out."))
    # What this browser kept of pages behind the door goes too: copies, and taps that wait.
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    response.delete_cookie(_WAITING)
    return response


def _waiting() -> int:
    cookie = request.cookies.get(_WAITING, "")
    return int(cookie) if cookie.isascii() and cookie.isdigit() and len(cookie) < 6 else 0
