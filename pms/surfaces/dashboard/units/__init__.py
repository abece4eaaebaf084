"""The units: the list, one unit with its tabs, adding and editing."""

from pms.surfaces.dashboard.routes import EVERYBODY, OFFICE
from pms.surfaces.dashboard.units import (
    adding,
    blocks,
    editing,
    fees,
    reservations,
    unit,
    units,
)

_ONE = "/units/<unit_id>"


