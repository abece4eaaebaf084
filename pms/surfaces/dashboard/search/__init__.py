"""Jumping anywhere by a few words."""

from pms.surfaces.dashboard.routes import EVERYBODY
from pms.surfaces.dashboard.search import views


