"""The documents of a reservation: issuing, sending for signature, reading."""

from pms.surfaces.dashboard.contracts import of_reservation, one
from pms.surfaces.dashboard.reach import OFFICE, Address

_ALL = "/reservations/<reservation_id>/contracts"
_ONE = "/contracts/<contract_id>"

ADDRESSES: tuple[Address, ...] = (
    Address(_ALL, "reservation_contracts", of_reservation.show, OFFICE),
    Address(_ALL, "issue_contract", of_reservation.issue, OFFICE, "POST"),
    Address(_ONE, "contract", one.show, OFFICE),
    Address(f"{_ONE}/paper", "contract_paper", one.paper, OFFICE),
    Address(f"{_ONE}/explanation", "explanation_paper", one.explanation, OFFICE),
    Address(f"{_ONE}/explanation", "record_explanation", one.record_handing, OFFICE, "POST"),
    Address(f"{_ONE}/renewal", "renew_contract", of_reservation.renew, OFFICE, "POST"),
    Address(f"{_ONE}/sending", "send_contract", of_reservation.send, OFFICE, "POST"),
)
