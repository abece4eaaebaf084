"""The board of tasks, and the list of one person's day."""

from pms.surfaces.dashboard.reach import EVERYBODY, Address
from pms.surfaces.dashboard.work import views

ADDRESSES: tuple[Address, ...] = (Address("/work", "work", views.show, EVERYBODY),)
