"""The dashboard's blueprint, and its gate: only members whose role may reach the route pass.

Each route names the roles that may reach it:

    @dashboard.get("/arrears", roles=OFFICE)
    def arrears() -> Response: ...
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from flask import Response, abort, g, request, session, url_for

from pms.access.sessions import Membership
from pms.foundation.errors import NotFound
from pms.foundation.kept_figures import accept_outdated_figures
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import StaffRole
from pms.surfaces.cookie_sessions import CheckedBlueprint, gate
from pms.surfaces.hypermedia import FOR_READER, go, is_part
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import bind_buildings, clock, reading_session, refuse_nul, today
from pms.surfaces.signed_in import (
    StaffUser,
    auth_context,
    end_idle_session,
    kept_for_later,
    signed_in,
)
from pms.workspaces.queries import workspace_id_of

OPERATOR: Final = frozenset({StaffRole.OPERATOR})
OFFICE: Final = OPERATOR | {StaffRole.OFFICE}
MAINTENANCE: Final = OFFICE | {StaffRole.MAINTENANCE}
INSPECTORS: Final = OFFICE | {StaffRole.HOUSEKEEPING}
EVERYBODY: Final = frozenset(StaffRole)

PHOTO_BYTES: Final = 100 * 1024 * 1024
SHEET_BYTES: Final = 12 * 1024 * 1024
LOGO_BYTES: Final = 3 * 1024 * 1024
CONTENT_BYTES: Final = 800_000
TEMPLATE_BYTES: Final = 400_000
"""The largest form in bytes, for routes that take more than the usual limit."""

WORKSPACE: Final = "workspace"


class DashboardRouteCheck(NamedTuple):
    """The roles that may reach a route, the largest form it takes in bytes, and its privacy.

    A secret page is not kept by the browser: it shows a key, a code, a secret link, or what guests
    and applicants handed in. A route of all buildings cannot be narrowed to some: members who work
    for some do not reach it.
    """

    roles: frozenset[StaffRole]
    most_bytes: int | None = None
    is_secret: bool = False
    is_of_all_buildings: bool = False


dashboard = CheckedBlueprint(
    "dashboard", __name__, DashboardRouteCheck, url_prefix=f"/dashboard/<{WORKSPACE}>"
)


@dataclass(frozen=True)
class CurrentMember:
    """The member who is signed in, with the workspace and the role."""

    person_id: str
    name: str
    email: str
    role: StaffRole
    workspace_id: str
    slug: str
    workspace_name: str
    brand_hue: int
    logo_file_key: str | None
    has_several_workspaces: bool
    factor_due_on: date | None
    """The day from which the workspace demands a second factor; only for members without one."""
    building_ids: Sequence[str] | None
    """The buildings this person works for; `None` for all."""
    needs_factor: bool
    """Whether that day has come; until a factor is set up, no other page opens."""

    @property
    def is_office(self) -> bool:
        """Whether this person may see money and personal data."""
        return self.role in (StaffRole.OPERATOR, StaffRole.OFFICE)

    @property
    def is_bound(self) -> bool:
        """Whether this person works for some buildings only."""
        return self.building_ids is not None

    def reaches(self, check: DashboardRouteCheck) -> bool:
        """Whether this person may reach a route."""
        return self.role in check.roles and not (check.is_of_all_buildings and self.is_bound)


def current_member() -> CurrentMember:
    """Return the member of staff who sent this request."""
    found: CurrentMember = g.current_member
    return found


def actor() -> str:
    """Return the actor as the audit stores it."""
    return f"person/{current_member().person_id}"


def may(endpoint: str) -> bool:
    """Whether this person may open an endpoint of the dashboard, named without its blueprint."""
    check = dashboard.checks.get(endpoint)
    return check is not None and current_member().reaches(check)


def reading() -> WorkspaceSession:
    """Return the request's session for reading, bound to the member's workspace."""
    return reading_session(current_member().workspace_id)


def reading_figures() -> WorkspaceSession:
    """Return the session for reading; figures that take long may be from before a change.

    The page says so with `outdated_figures`, whose link (`?now=1`) has them calculated.
    """
    session = reading()
    if "now" not in request.args:
        accept_outdated_figures(session, clock().now())
    return session


def way_back(address: str) -> str:
    """Return the address of Today for a form sent from there (`?back=today`), else `address`."""
    return url_for("dashboard.today") if request.args.get("back") == "today" else address


WAY_ON: Final = "way_on"
"""The session key of the page to open once the second factor is set up."""
_SETTING_UP: Final = frozenset({"own_factor", "start_factor", "confirm_factor", "logo"})


@dashboard.url_value_preprocessor
def take_workspace(_: str | None, values: dict[str, Any] | None) -> None:
    """Take the workspace's slug out of the arguments of the route."""
    g.workspace_slug = values.pop(WORKSPACE) if values else ""


@dashboard.url_defaults
def give_workspace(_: str, values: dict[str, Any]) -> None:
    """Add the request's workspace to the addresses that are built."""
    values.setdefault(WORKSPACE, g.get("workspace_slug", ""))


@gate(dashboard)
def enter() -> Response | None:
    """Let only members pass whose role may reach the route."""
    refuse_nul()
    person = signed_in()
    if person is None:
        return _to_sign_in()
    slug = g.workspace_slug
    found = (each for each in person.memberships if each.slug == slug)
    membership = next(found, None) or _former_membership(person, slug) or abort(404)
    if membership.ends_after(person.held.longest_pause(clock().now())):
        end_idle_session(person.held)
        return _to_sign_in()
    if membership.slug != g.workspace_slug:
        former, g.workspace_slug = g.workspace_slug, membership.slug
        if request.method == "GET" and not is_part():
            path = request.full_path if request.query_string else request.path
            renamed_path = path.replace(f"/dashboard/{former}", f"/dashboard/{g.workspace_slug}", 1)
            return go(renamed_path)
    g.current_member = member = _make_member(person, membership)
    g.workspace_id, g.actor = member.workspace_id, f"person/{member.person_id}"
    if member.building_ids is not None:
        bind_buildings(member.building_ids)
    endpoint = (request.endpoint or "").rpartition(".")[2]
    check = dashboard.checks[endpoint]
    if member.needs_factor and endpoint not in _SETTING_UP:
        # Redirect to the set-up of the second factor, and remember the page to open afterwards.
        is_typed = request.method == "POST" and "Idempotency-Key" not in request.headers
        kept = kept_for_later() if is_typed else None
        if kept:
            session[WAY_ON] = url_for("auth.kept_text", token=kept)
        elif request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate" and _way_back():
            session[WAY_ON] = _way_back()
        return go(url_for("dashboard.own_factor"))
    if not member.reaches(check):
        abort(403)
    if check.most_bytes is not None:
        request.max_content_length = check.most_bytes
    return None


@dashboard.after_request
def keep_private(response: Response) -> Response:
    """Set the `Cache-Control` of a response."""
    # A response with a `max-age` has an address that names its content, so it may be cached. A
    # page is cached only by its reader's browser, so that Back is instant; sign-out clears it.
    # Papers, files and secrets are never cached.
    kept = response.headers.get("Cache-Control", "")
    is_page = request.method in {"GET", "HEAD"} and response.status_code == 200
    check = dashboard.checks.get((request.endpoint or "").rpartition(".")[2])
    is_kept = kept == FOR_READER and is_page and check is not None and not check.is_secret
    if "max-age" not in kept and not is_kept:
        response.headers["Cache-Control"] = "no-store"
    return response


def _to_sign_in() -> Response:
    # Typed text is stored until the same person returns; a tap with a key waits in the browser.
    is_typed = request.method == "POST" and "Idempotency-Key" not in request.headers
    kept = kept_for_later() if is_typed else None
    if kept:
        return go(url_for("auth.sign_in", kept=kept))
    return go(url_for("auth.sign_in", next=_way_back()))


def _way_back() -> str | None:
    """Return the page to come back to; for a part of a page, the page that requested it."""
    if is_part():
        asked = urlsplit(request.headers.get("HX-Current-URL", ""))
        return f"{asked.path}?{asked.query}" if asked.query else asked.path or None
    if request.method != "GET":
        return None
    return request.full_path if request.query_string else request.path


def _former_membership(person: StaffUser, slug: str) -> Membership | None:
    """Return the membership of a workspace that had this slug before."""
    with auth_context().reading() as session:
        try:
            workspace_id = workspace_id_of(session, slug)
        except NotFound:
            return None
    found = (each for each in person.memberships if each.workspace_id == workspace_id)
    return next(found, None)


def _make_member(person: StaffUser, member: Membership) -> CurrentMember:
    due_on = None if person.held.has_factor else member.factor_required_on
    english = member.name_en if member.name_en and chosen_language() == "en" else None
    workspace_name = english or member.name
    return CurrentMember(
        person_id=person.person_id,
        name=person.name,
        email=person.email,
        role=member.role,
        workspace_id=member.workspace_id,
        slug=member.slug,
        workspace_name=workspace_name,
        brand_hue=member.brand_hue,
        logo_file_key=member.logo_file_key,
        has_several_workspaces=len(person.memberships) > 1,
        building_ids=member.building_ids,
        factor_due_on=due_on,
        needs_factor=due_on is not None and due_on <= today(),
    )
