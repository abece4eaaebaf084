"""Reservation links: offering a unit, sending, renewing, revoking."""

from pms.surfaces.dashboard.reach import OFFICE, Address
from pms.surfaces.dashboard.reservation_links import making, offers, offers_list

_ONE = "/reservation-links/<reservation_link_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/reservation-links", "reservation_links", offers_list.show, OFFICE),
    Address("/reservation-links/new", "new_reservation_link", making.show, OFFICE),
    Address("/reservation-links/new", "create_reservation_link", making.make, OFFICE, "POST"),
    Address(_ONE, "reservation_link", offers.show, OFFICE),
    Address(f"{_ONE}/sending", "reservation_link_sending", offers.check_sending, OFFICE),
    Address(f"{_ONE}/sending", "send_reservation_link", offers.send, OFFICE, "POST"),
    Address(f"{_ONE}/renewal", "renew_reservation_link", offers.renew, OFFICE, "POST"),
    Address(f"{_ONE}/revocation", "reservation_link_revocation", offers.check_revoking, OFFICE),
    Address(f"{_ONE}/revocation", "revoke_reservation_link", offers.revoke, OFFICE, "POST"),
)
