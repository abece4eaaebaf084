"""The buildings: the list, one building with its handbook, adding and editing."""

from pms.surfaces.dashboard.buildings import (
    address,
    building,
    buildings,
    code,
    editing,
    handbook,
    owner,
)
from pms.surfaces.dashboard.routes import EVERYBODY, OFFICE
_ONE = "/buildings/<building_id>"
_PAGE = "/handbook/<page_id>"


