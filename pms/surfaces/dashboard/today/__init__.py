"""The first screen after signing in."""

from pms.surfaces.dashboard.routes import EVERYBODY
from pms.surfaces.dashboard.today import views


