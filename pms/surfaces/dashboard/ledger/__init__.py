"""The money of one reservation: its ledger, bills, payments and their papers."""

from typing import Final

from pms.surfaces.dashboard.ledger import (
    arrears_charge,
    charge,
    credit,
    entry,
    invoice,
    ledger,
    payment,
    taking_back,
    voiding,
)
from pms.surfaces.dashboard.routes import OFFICE
_OF_RESERVATION: Final = "/reservations/<reservation_id>"
_OF_ENTRY: Final = "/ledger-entries/<entry_id>"
_OF_PAYMENT: Final = "/payments/<payment_id>"


