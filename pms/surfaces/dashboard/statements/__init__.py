"""What owners are told and paid: a month of each building, prepared and published."""

from typing import Final

from pms.surfaces.dashboard.routes import OFFICE
from pms.surfaces.dashboard.statements import (
    charging,
    deduction,
    months,
    papers,
    publishing,
    statement,
)

_MONTH: Final = "/owner-statements/<month>"
_OF_BUILDING: Final = "/owner-statements/<month>/buildings/<building_id>"


