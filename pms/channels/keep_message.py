"""Keeps a message that came in on a channel, once however often it is taken up."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.channels.conversation_of import Handle
from pms.channels.models import Conversation, GuestMessage, InboundEvent
from pms.channels.note_message import note_message
from pms.foundation.clock import Clock
from pms.rules.channel_words import Channel, MessageState
from pms.rules.enumerations import TicketSide
from pms.rules.told_messages import ToldMessage


def known_message(session: Session, channel: Channel, external_id: str) -> GuestMessage | None:
    """Return the message that a channel calls by that name."""
    return session.scalar(
        select(GuestMessage).where(
            GuestMessage.channel == channel, GuestMessage.external_id == external_id
        )
    )


def keep_message(
    session: Session,
    clock: Clock,
    row: Conversation,
    event: InboundEvent,
    told: ToldMessage,
    *,
    handle: Handle,
    external_id: str,
    sent_at: datetime | None = None,
    booking_reference: str | None = None,
    listing: str | None = None,
) -> GuestMessage | None:
    """Add what an event brought to a locked conversation; `None` when it is there already.

    A message has the id of the event it came with.
    """
    channel, name = handle
    message = GuestMessage(
        id=event.id,
        conversation_id=row.id,
        channel=channel,
        handle=name,
        external_id=external_id,
        side=TicketSide.RESIDENT,
        kind=told.kind,
        text=told.text,
        quoted_id=told.quoted_id,
        is_edit=told.is_edit,
        sent_at=sent_at or event.occurred_at or event.received_at,
        received_at=event.received_at,
        by=None,
        state=MessageState.RECEIVED,
        media_id=told.media_id,
        media_type=told.media_type,
        media_name=told.media_name,
        media_failure=told.media_failure,
        booking_reference=booking_reference,
        listing=listing,
    )
    try:
        with session.begin_nested():
            session.add(message)
    except IntegrityError:
        return None
    note_message(session, clock, row, message)
    return message
