"""Bringing data in: send a sheet, look at what it would do, then write it."""

from typing import Final

from pms.surfaces.dashboard.imports import columns, sheet, views
from pms.surfaces.dashboard.routes import OFFICE
_MOST_OF_A_SHEET: Final = 12 * 1024 * 1024


