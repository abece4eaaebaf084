"""Hooks of the sign-in pages, stored forms, choosing a workspace, and signing out."""

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
    """Answer stale forms, and forbid caching of the sign-in pages."""

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
    """Return the page with the stored form, ready to be sent."""
    person = signed_in()
    if person is None:
        return go(url_for("auth.sign_in", kept=token))
    with doorway().reading() as session:
        kept = sessions.kept_form(session, clock(), token=token, person_id=person.person_id)
    if kept is None or safe_path(kept.path) is None:
        return go(url_for("auth.workspaces"))
    texts = [text for _, text in kept.fields if text.strip()]
    # If the form is incomplete, its texts are shown to be copied, longest first.
    shown = texts if kept.is_whole else sorted(texts, key=len, reverse=True)
    return page("auth/kept_text.html", kept=kept, texts=shown[:_SHOWN])


@blueprint.get("/workspaces", endpoint="workspaces")
def show_workspaces() -> Response:
    """Redirect to the only workspace, or show a list to choose from."""
    person = signed_in()
    if person is None:
        return go(url_for("auth.sign_in"))
    if len(person.memberships) == 1:
        return go(url_for("dashboard.today", workspace=person.memberships[0].slug))
    return page("auth/workspaces.html", person=person)


_WAITING: Final = "waiting"  # the script of the pages of work writes how many taps wait


@blueprint.post("/sign-out", endpoint="sign_out")
def leave() -> Response:
    """End this session; the answer is the same without one."""
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
    # The browser's stored copies of pages and its waiting taps are deleted too.
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    response.delete_cookie(_WAITING)
    return response


def _waiting() -> int:
    cookie = request.cookies.get(_WAITING, "")
    return int(cookie) if cookie.isascii() and cookie.isdigit() and len(cookie) < 6 else 0
