"""How full the units were and what they earned, over twelve months."""

from pms.surfaces.dashboard.occupancy import views
from pms.surfaces.dashboard.reach import OFFICE, Address

ADDRESSES = (
    Address("/reports/occupancy", "occupancy", views.show, OFFICE),
    Address("/reports/occupancy.csv", "occupancy_csv", views.export, OFFICE),
)
