"""Viewings: who is shown which home when, by whom, and what became of it."""

from typing import Final

from pms.surfaces.dashboard.routes import OFFICE
from pms.surfaces.dashboard.viewings import booking, changing, viewing, week

_ONE: Final = "/viewings/<viewing_id>"


