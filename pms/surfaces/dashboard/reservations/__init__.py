"""The reservation screens: the list, one tenancy with its tabs, a new booking and changes."""

from pms.surfaces.dashboard.routes import OFFICE
from pms.surfaces.dashboard.reservations import (
    amendment,
    beginning,
    cancellation,
    dates,
    departure,
    documents,
    history,
    messages,
    new_reservation,
    notice,
    open_end,
    people,
    price,
    reservation,
    reservations,
    statuses,
)

_ONE = "/reservations/<reservation_id>"


