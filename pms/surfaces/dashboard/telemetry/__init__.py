"""What the website saw: visits a day, a page and a campaign."""

from pms.surfaces.dashboard.reach import OFFICE, Address
from pms.surfaces.dashboard.telemetry import views

ADDRESSES: tuple[Address, ...] = (
    Address("/website/visits", "telemetry", views.show, OFFICE),
    Address("/website/visits.csv", "telemetry_csv", views.export, OFFICE),
)
