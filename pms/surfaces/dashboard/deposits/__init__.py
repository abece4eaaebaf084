"""The deposit of one reservation: its balance, the settlement, and the refund as a step of its own."""

from typing import Final

from pms.surfaces.dashboard.deposits import deposit, refund, settlement
from pms.surfaces.dashboard.routes import OFFICE
_OF: Final = "/reservations/<reservation_id>"


