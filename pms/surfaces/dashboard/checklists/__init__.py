"""The checklists that tasks of each kind begin with, and the look at finished cleanings."""

from typing import Final

from pms.rules.enumerations import StaffRole
from pms.surfaces.dashboard.checklists import inspecting, views
from pms.surfaces.dashboard.routes import OFFICE
_INSPECTORS: Final = OFFICE | {StaffRole.HOUSEKEEPING}


