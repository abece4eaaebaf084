"""The keys that machines hold: issuing, watching, replacing and revoking them."""

from pms.surfaces.dashboard.keys import views
from pms.surfaces.dashboard.routes import OPERATOR
