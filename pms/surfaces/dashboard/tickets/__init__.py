"""Conversations with residents about problems: the inbox, one thread, opening, ending."""

from typing import Final

from pms.surfaces.dashboard.reach import MAINTENANCE, OFFICE, Address
from pms.surfaces.dashboard.tickets import answering, inbox, opening, thread

_ONE: Final = "/tickets/<ticket_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/tickets", "tickets", inbox.show, MAINTENANCE),
    Address("/tickets/new", "new_ticket", opening.show, OFFICE),
    Address("/tickets", "open_ticket", opening.add, OFFICE, "POST"),
    Address(_ONE, "ticket", thread.show, MAINTENANCE),
    Address(f"{_ONE}/messages", "answer_ticket", answering.answer, MAINTENANCE, "POST"),
    Address(f"{_ONE}/closure", "close_ticket", answering.close, MAINTENANCE, "POST"),
    Address(f"{_ONE}/reopening", "reopen_ticket", answering.reopen, MAINTENANCE, "POST"),
)
