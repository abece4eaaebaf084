"""The deposit of one reservation: its balance, the settlement, and the refund as a step of its own."""

from typing import Final

from pms.surfaces.dashboard.deposits import deposit, refund, settlement
from pms.surfaces.dashboard.reach import OFFICE, Address

_OF: Final = "/reservations/<reservation_id>"

ADDRESSES: Final = (
    Address(f"{_OF}/deposit", "reservation_deposit", deposit.show, OFFICE),
    Address(f"{_OF}/settlement/draft", "draft_settlement", settlement.draft, OFFICE, "POST"),
    Address(f"{_OF}/settlement", "settle", settlement.settle_now, OFFICE, "POST"),
    Address(f"{_OF}/refund", "send_refund", refund.send, OFFICE, "POST"),
)
