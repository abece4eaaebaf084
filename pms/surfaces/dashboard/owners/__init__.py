"""The owners: the list, one owner, adding and editing."""

from pms.surfaces.dashboard.owners import owner, owners
from pms.surfaces.dashboard.routes import OFFICE
_ONE = "/owners/<owner_id>"


