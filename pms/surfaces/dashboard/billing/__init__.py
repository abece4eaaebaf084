"""The month's billing: look first, then run."""

from pms.surfaces.dashboard.billing import views
from pms.surfaces.dashboard.routes import OFFICE
