"""Corrects what is written of an enquiry."""

from sqlalchemy.orm import Session

from pms.enquiries.earlier_enquiry import earlier_enquiry
from pms.enquiries.enquiry_in_hand import count_change, enquiry_in_hand
from pms.enquiries.written_enquiry import WrittenEnquiry, checked_enquiry
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def edit_enquiry(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    enquiry_id: str,
    version: int,
    written: WrittenEnquiry,
) -> int:
    """Write the enquiry anew and return its version; `Collision` when it changed since it was seen.

    A corrected address or number may be somebody's who asked before: the link follows it.
    """
    row = enquiry_in_hand(session, enquiry_id, version)
    columns = checked_enquiry(session, written)
    changed = {name: value for name, value in columns.items() if value != getattr(row, name)}
    if not changed:
        return row.version
    for name, value in changed.items():
        setattr(row, name, value)
    if {"email", "phone"} & changed.keys():
        with session.no_autoflush:
            row.duplicate_of_id = earlier_enquiry(session, row)
    count_change(session, clock, actor, Deed.ENQUIRY_EDITED, row)
    return row.version
