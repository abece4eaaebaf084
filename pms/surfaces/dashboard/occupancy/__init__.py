"""How full the units were and what they earned, over twelve months."""

from pms.surfaces.dashboard.occupancy import views
from pms.surfaces.dashboard.routes import OFFICE
