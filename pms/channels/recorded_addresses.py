"""Tells which e-mail addresses the records of a person carry now, where mail may go."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.known_handles import KnownHandles
from pms.channels.models import Conversation
from pms.enquiries.models import Enquiry
from pms.reservations.models import Reservation
from pms.rules.channel_words import Channel


def recorded_addresses(session: Session, row: Conversation, handles: KnownHandles) -> Sequence[str]:
    """Return the addresses, folded, that of the stay beside the conversation first.

    A handle outlives a correction of the address it was taken from, so that whoever wrote from
    there is known again; mail goes by the records alone.
    """
    wanted = {*handles.of(Channel.PORTAL), *([row.reservation_id] if row.reservation_id else ())}
    stays = session.execute(
        select(Reservation.id, Reservation.email_key).where(
            Reservation.id.in_(wanted), Reservation.email_key.is_not(None)
        )
    ).all()
    asked = session.scalars(
        select(Enquiry.email_key).where(handles.is_enquiry, Enquiry.email_key.is_not(None))
    )
    beside = [email for id_, email in stays if id_ == row.reservation_id]
    others = [email for id_, email in stays if id_ != row.reservation_id]
    return list(dict.fromkeys(str(email) for email in (*beside, *others, *asked)))


def address_of_stay(session: Session, row: Conversation) -> str | None:
    """Return the address of the stay beside a conversation that is its person's own, folded."""
    if row.reservation_id is None or row.linked_by is not None:
        return None
    asked = select(Reservation.email_key).where(Reservation.id == row.reservation_id)
    return session.scalar(asked)
