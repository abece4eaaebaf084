"""Maintenance projects: the work, its hours, purchases and cost."""

from typing import Final

from pms.surfaces.dashboard.projects import (
    charging,
    editing,
    ending,
    hours,
    opening,
    project,
    projects,
    purchases,
)
from pms.surfaces.dashboard.routes import MAINTENANCE, OFFICE
_ONE: Final = "/projects/<project_id>"
_HOURS: Final = f"{_ONE}/hours"
_PURCHASES: Final = f"{_ONE}/purchases"
_MOST_BYTES: Final = 50 * 1024 * 1024


