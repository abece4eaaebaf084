"""Working without a network: whose copies a browser keeps, and what its waiting taps ask for."""

from pms.surfaces.dashboard.offline import views
from pms.surfaces.dashboard.routes import EVERYBODY
