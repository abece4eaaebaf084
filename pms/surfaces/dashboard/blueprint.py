"""The dashboard's blueprint: each route says which roles reach it.

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
"""How large a form may be, where it may be larger than everywhere else."""

WORKSPACE: Final = "workspace"


class RouteCheck(NamedTuple):
    """Which roles reach a route, and how large its form may be."""

    roles: frozenset[StaffRole]
    most_bytes: int | None = None


dashboard = CheckedBlueprint(
    "dashboard", __name__, RouteCheck, url_prefix=f"/dashboard/<{WORKSPACE}>"
)
