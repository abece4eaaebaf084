"""The waitlist: who waits for what, what may suit them, adding, offering, closing."""

from pms.surfaces.dashboard.reach import OFFICE, Address
from pms.surfaces.dashboard.waitlist import adding, people

_ONE = "/waitlist/<place_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/waitlist", "waitlist", people.show, OFFICE),
    Address("/waitlist/new", "new_waitlist_place", adding.show, OFFICE),
    Address("/waitlist", "add_to_waitlist", adding.add, OFFICE, "POST"),
    Address(f"{_ONE}/offer", "offer_waitlist_place", people.offer, OFFICE, "POST"),
    Address(f"{_ONE}/closure", "close_waitlist_place", people.close, OFFICE, "POST"),
)
