"""Enquiries: who asks for a home, how they were answered, and what became of it."""

from typing import Final

from pms.surfaces.dashboard.enquiries import acting, editing, enquiry, inbox, receiving
from pms.surfaces.dashboard.reach import OFFICE, Address

_ONE: Final = "/enquiries/<enquiry_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/enquiries", "enquiries", inbox.show, OFFICE),
    Address("/enquiries/new", "new_enquiry", receiving.show, OFFICE),
    Address("/enquiries", "receive_enquiry", receiving.add, OFFICE, "POST"),
    Address(_ONE, "enquiry", enquiry.show, OFFICE),
    Address(f"{_ONE}/facts", "enquiry_facts", editing.show, OFFICE),
    Address(f"{_ONE}/facts", "edit_enquiry", editing.save, OFFICE, "POST"),
    Address(f"{_ONE}/answers", "answer_enquiry", acting.answer, OFFICE, "POST"),
    Address(
        f"{_ONE}/answers/<enquiry_note_id>/retry",
        "send_enquiry_again",
        acting.send_again,
        OFFICE,
        "POST",
    ),
    Address(f"{_ONE}/notes", "note_enquiry", acting.note, OFFICE, "POST"),
    Address(f"{_ONE}/assignee", "assign_enquiry", acting.assign, OFFICE, "POST"),
    Address(f"{_ONE}/state", "move_enquiry", acting.move, OFFICE, "POST"),
)
