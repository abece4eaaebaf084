"""Working without a network: whose copies a browser keeps, and what its waiting taps ask for."""

from pms.surfaces.dashboard.offline import views
from pms.surfaces.dashboard.reach import EVERYBODY, Address

ADDRESSES = (
    Address("/sync", "sync", views.show, EVERYBODY),
    Address("/sync/withdrawals", "withdraw_tap", views.withdraw, EVERYBODY, "POST"),
)
