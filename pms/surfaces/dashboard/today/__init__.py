"""The first screen after signing in."""

from pms.surfaces.dashboard.reach import EVERYBODY, Address
from pms.surfaces.dashboard.today import views

ADDRESSES = (Address("/", "today", views.show, EVERYBODY),)
