"""The dashboard's blueprint: each route names the roles that may reach it.

@dashboard.get("/arrears", roles=OFFICE)
def arrears() -> Response: ...
"""

from typing import Final, NamedTuple

from pms.rules.enumerations import StaffRole
from pms.surfaces.checked_blueprint import CheckedBlueprint

OPERATOR: Final = frozenset({StaffRole.OPERATOR})
OFFICE: Final = OPERATOR | {StaffRole.OFFICE}
MAINTENANCE: Final = OFFICE | {StaffRole.MAINTENANCE}
INSPECTORS: Final = OFFICE | {StaffRole.HOUSEKEEPING}
EVERYBODY: Final = frozenset(StaffRole)

PHOTO_BYTES: Final = 50 * 1024 * 1024
SHEET_BYTES: Final = 12 * 1024 * 1024
LOGO_BYTES: Final = 3 * 1024 * 1024
CONTENT_BYTES: Final = 800_000
TEMPLATE_BYTES: Final = 400_000
"""The largest form in bytes, for routes that take more than the usual limit."""

WORKSPACE: Final = "workspace"


class RouteCheck(NamedTuple):
    """The roles that may reach a route, and the largest form it takes in bytes."""

    roles: frozenset[StaffRole]
    most_bytes: int | None = None


dashboard = CheckedBlueprint(
    "dashboard", __name__, RouteCheck, url_prefix=f"/dashboard/<{WORKSPACE}>"
)
