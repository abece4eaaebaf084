"""Calls a viewing off and tells the visitor."""

from sqlalchemy.orm import Session

from pms.enquiries.viewing_in_hand import changeable_viewing, count_change
from pms.enquiries.viewing_mail import Occasion, mail_visitor
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.rules.deeds import Deed
from pms.rules.enumerations import ViewingStatus


def cancel_viewing(
    session: Session, clock: Clock, actor: str, files: Files, *, viewing_id: str
) -> bool:
    """Write that it does not take place, and tell whether the visitor is mailed."""
    row = changeable_viewing(session, viewing_id)
    row.status = ViewingStatus.CANCELLED
    count_change(session, clock, actor, Deed.VIEWING_CANCELLED, row)
    return mail_visitor(session, clock, files, row, occasion=Occasion.CANCELLED)
