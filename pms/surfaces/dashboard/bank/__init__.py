"""Bank day: read a statement in, record what is certain, look at the rest."""

from typing import Final

from pms.surfaces.dashboard.bank import bank_day, transfer
from pms.surfaces.dashboard.reach import OFFICE, Address

_MOST_OF_A_FILE: Final = 12 * 1024 * 1024

ADDRESSES = (
    Address("/bank", "bank_day", bank_day.show, OFFICE),
    Address("/bank", "read_bank_file", bank_day.read_in, OFFICE, "POST", _MOST_OF_A_FILE),
    Address("/bank/certain", "place_certain", bank_day.place_all, OFFICE, "POST"),
    Address("/bank/imports/<import_id>/undo", "undo_import", bank_day.undo, OFFICE, "POST"),
    Address("/bank/transfers/<transfer_id>", "transfer", transfer.show, OFFICE),
    Address(
        "/bank/transfers/<transfer_id>/offer", "place_offer", transfer.take_offer, OFFICE, "POST"
    ),
    Address(
        "/bank/transfers/<transfer_id>/place", "place_transfer", transfer.place, OFFICE, "POST"
    ),
    Address(
        "/bank/transfers/<transfer_id>/state",
        "set_transfer_aside",
        transfer.set_aside,
        OFFICE,
        "POST",
    ),
    Address("/bank/transfers/<transfer_id>/off", "take_off", transfer.take_back, OFFICE, "POST"),
)
