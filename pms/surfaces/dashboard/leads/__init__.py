"""People who apply for a position or offer to work together."""

from typing import Final

from pms.surfaces.dashboard.leads import acting, forgetting, lead, leads
from pms.surfaces.dashboard.routes import OFFICE
_ONE: Final = "/leads/<lead_id>"


