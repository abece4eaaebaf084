"""What is taken and what is free: the chart of units and days, and the same facts as a list."""

from pms.surfaces.dashboard.chart import availability, card, views
from pms.surfaces.dashboard.reach import EVERYBODY, OFFICE, Address

ADDRESSES = (
    Address("/chart", "chart", views.show, EVERYBODY),
    Address("/availability", "availability", availability.show, EVERYBODY),
    Address("/reservations/<reservation_id>/card", "reservation_card", card.show, OFFICE),
)
