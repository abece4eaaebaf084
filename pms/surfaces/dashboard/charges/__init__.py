"""One charge for many tenancies: choose it, look at whom it reaches, post it as a run."""

from pms.surfaces.dashboard.charges import views
from pms.surfaces.dashboard.routes import OFFICE
