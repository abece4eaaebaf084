"""The documents of a reservation: issuing, sending for signature, reading."""

from pms.surfaces.dashboard.contracts import of_reservation, one
from pms.surfaces.dashboard.routes import OFFICE
_ALL = "/reservations/<reservation_id>/contracts"
_ONE = "/contracts/<contract_id>"


