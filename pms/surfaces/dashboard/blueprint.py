"""The dashboard's blueprint: each route says which roles reach it.

@dashboard.get("/arrears", roles=OFFICE)
def arrears() -> Response: ...
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from flask import Blueprint

from pms.rules.enumerations import StaffRole

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


class Reach(NamedTuple):
    """Which roles reach an endpoint, and how large its form may be."""

    roles: frozenset[StaffRole]
    most_bytes: int | None


class Dashboard(Blueprint):
    """A blueprint whose routes carry the roles that reach them; a route without roles is an error."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.reach: dict[str, Reach] = {}
        """By endpoint, without the blueprint's name."""

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: Callable[..., Any] | None = None,
        provide_automatic_options: bool | None = None,
        **options: Any,
    ) -> None:
        """Add the route and remember its `roles` and `most_bytes`."""
        if view_func is None:
            raise TypeError(f"{rule}: a route of the dashboard needs a view")
        reach = Reach(options.pop("roles"), options.pop("most_bytes", None))
        self.reach[endpoint or view_func.__name__] = reach
        super().add_url_rule(rule, endpoint, view_func, provide_automatic_options, **options)


dashboard = Dashboard("dashboard", __name__, url_prefix=f"/dashboard/<{WORKSPACE}>")
