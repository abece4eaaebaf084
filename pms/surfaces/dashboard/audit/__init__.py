"""The audit: every deed with who, when, what was before and what is after."""

from pms.surfaces.dashboard.audit import views
from pms.surfaces.dashboard.routes import OPERATOR
