"""Visits: one person, one building, one day, tasks in order."""

from typing import Final

from pms.surfaces.dashboard.routes import EVERYBODY, OFFICE
from pms.surfaces.dashboard.visits import changing, handing, planning, visit, week

_ONE: Final = "/visits/<visit_id>"


