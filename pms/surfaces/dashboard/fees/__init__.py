"""The fee catalogue: what the workspace charges, under codes that never change."""

from pms.surfaces.dashboard.fees import views
from pms.surfaces.dashboard.routes import OFFICE, OPERATOR
