"""The gate of a portal: a session for one address in one workspace, opened by a mailed code."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from flask import Response, abort, g, request, url_for
from flask_wtf.csrf import CSRFError

from pms.foundation.errors import NotFound
from pms.rules.enumerations import Door
from pms.surfaces.form_tokens import gate
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals import auth
from pms.surfaces.portals.blueprints import PortalBlueprint
from pms.surfaces.portals.portal import WORKSPACE, Portal
from pms.surfaces.reader_choice import LANGUAGES, speak_as_record
from pms.surfaces.request_scope import reading_session
from pms.surfaces.signed_in import doorway, held_session
from pms.workspaces.queries import branding, workspace_id_of


def guard(blueprint: PortalBlueprint, arrive: Callable[[], None]) -> None:
    """Admit only signed-in people; `arrive` loads what is theirs, or raises.

    The sign-in pages need no session.
    """

    @blueprint.url_value_preprocessor
    def take_workspace(_: str | None, values: dict[str, Any] | None) -> None:
        g.portal_slug = values.pop(WORKSPACE) if values else ""

    @blueprint.url_defaults
    def give_workspace(_: str, values: dict[str, Any]) -> None:
        values.setdefault(WORKSPACE, g.get("portal_slug", ""))

    @gate(blueprint)
    def enter() -> Response | None:
        if any("\x00" in text for text in request.args.values()):
            abort(400)  # no stored text contains NUL, and PostgreSQL refuses it in queries
        g.portal = _held(blueprint.door) or _at_the_door(blueprint.door)
        g.workspace_id = g.portal.workspace_id
        if not request.accept_languages.best_match(LANGUAGES):
            speak_as_record(g.portal.workspace.default_locale)
        endpoint = (request.endpoint or "").rpartition(".")[2]
        if endpoint not in auth.OPEN_TO_ALL:
            if not g.portal.address:
                return go(url_for(".sign_in", next=_way_back()))
            arrive()
            most_bytes = blueprint.checks[endpoint].most_bytes
            if most_bytes is not None:
                request.max_content_length = most_bytes
        return None

    @blueprint.after_request
    def keep_private(response: Response) -> Response:
        # Names and money must not be cached; files whose address names their content may be.
        if "max-age" not in response.headers.get("Cache-Control", ""):
            response.headers["Cache-Control"] = "no-store"
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        return response

    @blueprint.errorhandler(CSRFError)
    def tell_stale(_: CSRFError) -> Response:
        response = page("portals/notice.html", kind="stale")
        response.status_code = 400
        return response

    @blueprint.errorhandler(NotFound)
    def tell_missing(_: NotFound) -> Response:
        return missing()

    @blueprint.errorhandler(404)
    def tell_no_page(_: object) -> Response:
        return missing()


def missing() -> Response:
    """Return the 404 page, within the portal if it is known."""
    if "portal" not in g:
        response = page("errors/page.html", kind=404, status=404)
    else:
        response = page("portals/notice.html", kind="missing")
    response.status_code = 404
    return response


def _held(door: Door) -> Portal | None:
    """Return the portal of the browser's session, or None if it is of another workspace."""
    found = held_session(door)
    if found is None or found.workspace_id is None:
        return None
    workspace = branding(reading_session(found.workspace_id))
    if workspace.slug != g.portal_slug:
        # The session is of another workspace; here it is ignored, and its database session closed.
        g.opened.close()
        g.pop("session")
        g.pop("opened")
        return None
    return Portal(door, found.workspace_id, workspace, found.address, found.id)


def _at_the_door(door: Door) -> Portal:
    with doorway().reading() as session:
        try:
            workspace_id = workspace_id_of(session, g.portal_slug)
        except NotFound:
            abort(404)
    return Portal(door, workspace_id, branding(reading_session(workspace_id)))


def _way_back() -> str | None:
    """Return the page to come back to; for a form, the page it was on."""
    if request.method != "GET":
        asked = urlsplit(request.referrer or "")
        return asked.path if f"{asked.scheme}://{asked.netloc}/" == request.host_url else None
    return request.full_path if request.query_string else request.path
