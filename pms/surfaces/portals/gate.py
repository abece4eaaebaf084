"""The blueprint of a portal, its navigation bar and its gate: a mailed code opens one address."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, g, request, url_for
from flask_babel import LazyString
from flask_wtf.csrf import CSRFError

from pms.foundation.errors import NotFound
from pms.rules.enumerations import UserKind
from pms.surfaces.cookie_sessions import CheckedBlueprint, gate
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals import auth
from pms.surfaces.portals.portal import WORKSPACE, Portal, portal
from pms.surfaces.reader_choice import LANGUAGES, speak_as_record
from pms.surfaces.request_scope import reading_session, refuse_nul
from pms.surfaces.signed_in import auth_context, held_session
from pms.workspaces.queries import branding, workspace_id_of


class MenuEntry(NamedTuple):
    """An entry of a portal's navigation bar; `endpoint` is without the blueprint's name."""

    endpoint: str
    text: LazyString
    icon: str
    further: tuple[str, ...] = ()
    """The endpoints of its subpages, for which the entry is shown as current too."""


class MenuItem(NamedTuple):
    """An entry of the bar as it is shown."""

    href: str
    text: str
    icon: str
    is_current: bool


_MENUS: Final = "pms.portals.menus"
Menu = Callable[[], tuple[MenuItem, ...]]


class PortalRouteCheck(NamedTuple):
    """The largest request body of a route, in bytes, where it takes files."""

    most_bytes: int | None = None


class PortalBlueprint(CheckedBlueprint[PortalRouteCheck]):
    """The blueprint of a portal, including its sign-in pages."""

    def __init__(self, user_kind: UserKind) -> None:
        super().__init__(
            user_kind.value,
            __name__,
            PortalRouteCheck,
            url_prefix=f"/{user_kind.value}/<{WORKSPACE}>",
        )
        self.user_kind = user_kind
        auth.add_routes(self)


def open_portal(app: Flask, blueprint: PortalBlueprint, menu: Menu) -> None:
    """Register a portal; `menu` returns at most five entries."""
    app.register_blueprint(blueprint)
    app.extensions.setdefault(_MENUS, {})[blueprint.user_kind] = menu


def portal_menu() -> tuple[MenuItem, ...]:
    """Return the entries of this portal's bar; none before sign-in."""
    at = portal()
    menu: Menu = current_app.extensions[_MENUS][at.user_kind]
    return menu() if at.address else ()


def menu_items(entries: Iterable[MenuEntry], **values: Any) -> tuple[MenuItem, ...]:
    """Return as links those entries whose endpoint exists."""
    current = (request.endpoint or "").rpartition(".")[2]
    return tuple(
        MenuItem(
            url_for(f".{each.endpoint}", **values),
            str(each.text),
            each.icon,
            (current in (each.endpoint, *each.further)),
        )
        for each in entries
        if portal_has(each.endpoint)
    )


def portal_has(endpoint: str) -> bool:
    """Whether this portal has the endpoint; links to it are shown only then."""
    return f"{portal().user_kind}.{endpoint}" in current_app.view_functions


def guard(blueprint: PortalBlueprint, arrive: Callable[[], None]) -> None:
    """Admit only signed-in people; `arrive` loads what is theirs, or raises.

    The sign-in pages need no session.
    """

    blueprint.url_value_preprocessor(_take_workspace)
    blueprint.url_defaults(_give_workspace)
    gate(blueprint)(lambda: _enter_portal(blueprint, arrive))
    blueprint.after_request(_keep_private)
    blueprint.register_error_handler(CSRFError, _tell_stale)
    blueprint.register_error_handler(NotFound, _tell_missing)
    blueprint.register_error_handler(404, _tell_missing)


def _take_workspace(_: str | None, values: dict[str, Any] | None) -> None:
    g.portal_slug = values.pop(WORKSPACE) if values else ""


def _give_workspace(_: str, values: dict[str, Any]) -> None:
    values.setdefault(WORKSPACE, g.get("portal_slug", ""))


def _enter_portal(blueprint: PortalBlueprint, arrive: Callable[[], None]) -> Response | None:
    refuse_nul()
    g.portal = _find_portal(blueprint.user_kind) or _signed_out_portal(blueprint.user_kind)
    g.workspace_id = g.portal.workspace_id
    if g.portal.workspace.slug != g.portal_slug:
        former, g.portal_slug = g.portal_slug, g.portal.workspace.slug
        if request.method == "GET":
            path = request.full_path if request.query_string else request.path
            renamed_path = path.replace(
                f"/{blueprint.user_kind}/{former}", f"/{blueprint.user_kind}/{g.portal_slug}", 1
            )
            return go(renamed_path)
        g.portal = _find_portal(blueprint.user_kind) or g.portal
    if not request.accept_languages.best_match(LANGUAGES):
        speak_as_record(g.portal.workspace.default_locale)
    endpoint = (request.endpoint or "").rpartition(".")[2]
    if endpoint in auth.OPEN_TO_ALL:
        return None
    if not g.portal.address:
        return go(url_for(".sign_in", next=_way_back()))
    arrive()
    most_bytes = blueprint.checks[endpoint].most_bytes
    if most_bytes is not None:
        request.max_content_length = most_bytes
    return None


def _keep_private(response: Response) -> Response:
    # Names and money must not be cached; files whose address names their content may be.
    if "max-age" not in response.headers.get("Cache-Control", ""):
        response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _tell_stale(_: CSRFError) -> Response:
    response = page("portals/notice.html", kind="stale")
    response.status_code = 400
    return response


def _tell_missing(_: Exception) -> Response:
    """Return the 404 page, within the portal if it is known."""
    if "portal" not in g:
        response = page("errors/page.html", kind=404, status=404)
    else:
        response = page("portals/notice.html", kind="missing")
    response.status_code = 404
    return response


def _find_portal(user_kind: UserKind) -> Portal | None:
    """Return the portal of the browser's session, or None if it is of another workspace."""
    found = held_session(user_kind)
    if found is None or found.workspace_id is None:
        return None
    workspace = branding(reading_session(found.workspace_id))
    if workspace.slug != g.portal_slug:
        # The session is of another workspace; here it is ignored, and its database session closed.
        g.opened.close()
        g.pop("session")
        g.pop("opened")
        return None
    return Portal(user_kind, found.workspace_id, workspace, found.address, found.id)


def _signed_out_portal(user_kind: UserKind) -> Portal:
    with auth_context().reading() as session:
        try:
            workspace_id = workspace_id_of(session, g.portal_slug)
        except NotFound:
            abort(404)
    return Portal(user_kind, workspace_id, branding(reading_session(workspace_id)))


def _way_back() -> str | None:
    """Return the page to come back to; for a form, the page it was on."""
    if request.method != "GET":
        asked = urlsplit(request.referrer or "")
        return asked.path if f"{asked.scheme}://{asked.netloc}/" == request.host_url else None
    return request.full_path if request.query_string else request.path
