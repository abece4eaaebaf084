"""Says who reaches which address of the dashboard; the guard, the menus and a test read it."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from pms.rules.enumerations import StaffRole

OPERATOR: Final = frozenset({StaffRole.OPERATOR})
OFFICE: Final = OPERATOR | {StaffRole.OFFICE}
MAINTENANCE: Final = OFFICE | {StaffRole.MAINTENANCE}
EVERYBODY: Final = frozenset(StaffRole)


class Address(NamedTuple):
    """One address of the dashboard: what is asked how, which view answers, and whom."""

    rule: str
    endpoint: str
    view: Callable[..., Any]
    roles: frozenset[StaffRole]
    method: str = "GET"
    most_bytes: int | None = None
    """How large a form may be; the program's own limit unless files come with it."""
