"""Reservation links: offering a unit, sending, renewing, revoking."""

from pms.surfaces.dashboard.routes import OFFICE
from pms.surfaces.dashboard.reservation_links import making, offers, offers_list

_ONE = "/reservation-links/<reservation_link_id>"


