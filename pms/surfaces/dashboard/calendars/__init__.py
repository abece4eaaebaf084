"""Calendars of units: feeds in, the address out, what stands against each other."""

from typing import Final

from pms.surfaces.dashboard.calendars import address, conflicts, feeds, of_unit
from pms.surfaces.dashboard.routes import OFFICE
_UNIT: Final = "/units/<unit_id>/calendars"
_OUT: Final = "/units/<unit_id>/calendar-address"
_FEED: Final = "/calendar-feeds/<feed_id>"


