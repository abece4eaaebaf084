"""The board of tasks, and the list of one person's day."""

from pms.surfaces.dashboard.routes import EVERYBODY
from pms.surfaces.dashboard.work import views


