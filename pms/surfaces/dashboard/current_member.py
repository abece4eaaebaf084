"""The member of staff who asks, in the workspace of the address; set by the gate for each request."""

from dataclasses import dataclass
from datetime import date

from flask import g, request, url_for

from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import StaffRole
from pms.surfaces.dashboard.blueprint import dashboard
from pms.surfaces.request_scope import reading_session


@dataclass(frozen=True)
class CurrentMember:
    """Who is signed in, in which workspace and with which role."""

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
    """From when on a workspace demands a second factor, of somebody who has none."""
    factor_demanded_by: str
    needs_factor: bool
    """Whether that day has come: until it is set up nothing else opens."""

    @property
    def is_office(self) -> bool:
        """Whether money and people's data are for this person's eyes."""
        return self.role in (StaffRole.OPERATOR, StaffRole.OFFICE)


def current_member() -> CurrentMember:
    """Return the member of staff who sent this request."""
    found: CurrentMember = g.current_member
    return found


def actor() -> str:
    """Return who acts, as the audit keeps it."""
    return f"person/{current_member().person_id}"


def may(endpoint: str) -> bool:
    """Whether this person reaches an address of the dashboard, named without its blueprint."""
    check = dashboard.checks.get(endpoint)
    return check is not None and current_member().role in check.roles


def reading() -> WorkspaceSession:
    """Return the request's session for questions, bound to the member's workspace."""
    return reading_session(current_member().workspace_id)


def way_back(address: str) -> str:
    """Return Today for a form that was sent from there (`?back=today`), else the address."""
    return url_for("dashboard.today") if request.args.get("back") == "today" else address
