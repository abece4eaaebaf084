"""The month's billing: look first, then run."""

from pms.surfaces.dashboard.billing import views
from pms.surfaces.dashboard.reach import OFFICE, Address

ADDRESSES = (
    Address("/billing", "billing", views.show, OFFICE),
    Address("/billing/runs", "start_billing", views.start, OFFICE, "POST"),
)
