"""Finds the earlier enquiry of the same person: by the folded address or the digits of the phone."""

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.enquiries.models import Enquiry


def earlier_enquiry(session: Session, row: Enquiry) -> str | None:
    """Return the id of the first enquiry of whoever asks in this one, if it is not this one.

    Two people behind one address look like one here, so an enquiry is linked and never merged.
    """
    keys = Enquiry.derive(vars(row))
    same = [
        column == keys[column.key]
        for column in (Enquiry.email_key, Enquiry.phone_key)
        if keys[column.key]
    ]
    if not same:
        return None
    return session.scalar(
        select(Enquiry.id)
        .where(or_(*same), Enquiry.id != row.id, Enquiry.received_at <= row.received_at)
        .order_by(Enquiry.received_at, Enquiry.id)
        .limit(1)
    )
