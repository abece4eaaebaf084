"""People who apply for a position or offer to work together."""

from typing import Final

from pms.surfaces.dashboard.leads import acting, forgetting, lead, leads
from pms.surfaces.dashboard.reach import OFFICE, Address

_ONE: Final = "/leads/<lead_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/leads", "leads", leads.show, OFFICE),
    Address(_ONE, "lead", lead.show, OFFICE),
    Address(f"{_ONE}/answers", "answer_lead", acting.answer, OFFICE, "POST"),
    Address(
        f"{_ONE}/answers/<lead_note_id>/retry", "send_lead_again", acting.send_again, OFFICE, "POST"
    ),
    Address(f"{_ONE}/notes", "note_lead", acting.note, OFFICE, "POST"),
    Address(f"{_ONE}/assignee", "assign_lead", acting.assign, OFFICE, "POST"),
    Address(f"{_ONE}/state", "move_lead", acting.move, OFFICE, "POST"),
    Address(f"{_ONE}/resume", "open_resume", lead.open_resume_of, OFFICE, "POST"),
    Address(f"{_ONE}/forgetting", "check_forgetting", forgetting.check, OFFICE),
    Address(f"{_ONE}/forgetting", "forget_lead", forgetting.forget, OFFICE, "POST"),
)
