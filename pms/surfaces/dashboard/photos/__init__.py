"""The photos of units and buildings."""

from pms.surfaces.dashboard.photos import describing, hanging, ordering
from pms.surfaces.dashboard.routes import OFFICE
_ONE = "/photos/<photo_id>"
_MOST_BYTES = 50 * 1024 * 1024


