"""Jumping anywhere by a few words."""

from pms.surfaces.dashboard.reach import EVERYBODY, Address
from pms.surfaces.dashboard.search import views

ADDRESSES = (Address("/search", "search", views.show, EVERYBODY),)
