"""Long work: what runs, how far it is, what came of it."""

from pms.surfaces.dashboard.routes import OFFICE
from pms.surfaces.dashboard.runs import views


