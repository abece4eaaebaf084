"""One charge for many tenancies: choose it, look at whom it reaches, post it as a run."""

from pms.surfaces.dashboard.charges import views
from pms.surfaces.dashboard.reach import OFFICE, Address

ADDRESSES: tuple[Address, ...] = (
    Address("/billing/charges", "many_charges", views.show, OFFICE),
    Address("/billing/charges/check", "check_charges", views.check, OFFICE),
    Address("/billing/charges/runs", "start_charges", views.start, OFFICE, "POST"),
)
