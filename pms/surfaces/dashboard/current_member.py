"""The member of staff behind the request, in the workspace of its address; set by the gate."""

from dataclasses import dataclass
from datetime import date

from flask import g, request, url_for

from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import StaffRole
from pms.surfaces.dashboard.blueprint import dashboard
from pms.surfaces.request_scope import reading_session


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
    factor_demanded_by: str
    needs_factor: bool
    """Whether that day has come; until a factor is set up, no other page opens."""

    @property
    def is_office(self) -> bool:
        """Whether this person may see money and personal data."""
        return self.role in (StaffRole.OPERATOR, StaffRole.OFFICE)


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
    return check is not None and current_member().role in check.roles


def reading() -> WorkspaceSession:
    """Return the request's session for reading, bound to the member's workspace."""
    return reading_session(current_member().workspace_id)


def way_back(address: str) -> str:
    """Return the address of Today for a form sent from there (`?back=today`), else `address`."""
    return url_for("dashboard.today") if request.args.get("back") == "today" else address
