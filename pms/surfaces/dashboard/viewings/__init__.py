"""Viewings: who is shown which home when, by whom, and what became of it."""

from typing import Final

from pms.surfaces.dashboard.reach import OFFICE, Address
from pms.surfaces.dashboard.viewings import booking, changing, viewing, week

_ONE: Final = "/viewings/<viewing_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/viewings", "viewings", week.show, OFFICE),
    Address("/viewings/new", "new_viewing", booking.show, OFFICE),
    Address("/viewings", "book_viewing", booking.book, OFFICE, "POST"),
    Address(_ONE, "viewing", viewing.show, OFFICE),
    Address(f"{_ONE}/time", "viewing_time", changing.show, OFFICE),
    Address(f"{_ONE}/time", "move_viewing", changing.move, OFFICE, "POST"),
    Address(f"{_ONE}/cancellation", "cancel_viewing", changing.cancel, OFFICE, "POST"),
    Address(f"{_ONE}/result", "end_viewing", changing.end, OFFICE, "POST"),
)
