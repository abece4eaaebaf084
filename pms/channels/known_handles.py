"""What a conversation's person is known by, and the tickets and enquiries that are theirs."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from pms.inbox.conversations import ENQUIRY
from pms.inbox.models import Conversation, ConversationHandle, Enquiry, Ticket
from pms.reservations.models import Reservation
from pms.rules.message_words import Channel


class KnownHandle(NamedTuple):
    """One name of a person on a channel."""

    channel: Channel
    handle: str
    name: str | None
    added_at: datetime
    is_blocked: bool


class KnownHandles(NamedTuple):
    """All names of a person, in the order they became known, and enquiries without an address."""

    all: Sequence[KnownHandle]
    enquiry_ids: Sequence[str]

    def of(self, channel: Channel) -> Sequence[str]:
        """Return the handles on one channel."""
        return [one.handle for one in self.all if one.channel == channel]

    @property
    def is_ticket(self) -> ColumnElement[bool]:
        """The condition that a ticket is of this person."""
        return Ticket.reservation_id.in_(self.of(Channel.PORTAL))

    @property
    def is_enquiry(self) -> ColumnElement[bool]:
        """The condition that an enquiry is of this person: the same address, or known by itself."""
        is_same = Enquiry.email_key.in_(self.of(Channel.MAIL))
        return or_(is_same, Enquiry.id.in_(self.enquiry_ids)) if self.enquiry_ids else is_same


def known_handles(session: Session, conversation: Conversation) -> KnownHandles:
    """Return what the person of a conversation is known by."""
    rows = session.execute(
        select(
            ConversationHandle.channel,
            ConversationHandle.handle,
            ConversationHandle.name,
            ConversationHandle.added_at,
            ConversationHandle.is_blocked,
        )
        .where(ConversationHandle.conversation_id == conversation.id)
        .order_by(ConversationHandle.added_at, ConversationHandle.id)
    )
    every = [KnownHandle(*row) for row in rows]
    asked = [one.handle.removeprefix(ENQUIRY) for one in every if _is_enquiry(one)]
    if conversation.enquiry_id is not None:
        asked.append(conversation.enquiry_id)
    return KnownHandles([one for one in every if not _is_enquiry(one)], asked)


def _is_enquiry(one: KnownHandle) -> bool:
    return one.channel == Channel.MAIL and one.handle.startswith(ENQUIRY)


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
