"""One conversation with what is known about its person."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.channels.answer_ways import (
    AnswerWay,
    KnownHandle,
    KnownHandles,
    answer_ways,
    known_handles,
    ticket_to_answer,
)
from pms.channels.conversation_lists import InboxVisibility, lock_conversation
from pms.foundation.versions import asked_once
from pms.inbox.models import Conversation, Enquiry, Ticket
from pms.rules.enumerations import EnquiryState, TicketSide, TicketState
from pms.rules.message_words import Channel, ConversationState

_FEW = 10


class TicketOfPerson(NamedTuple):
    """A ticket of the person of a conversation."""

    id: str
    subject: str
    state: TicketState
    awaits: TicketSide
    last_message_at: datetime


class EnquiryOfPerson(NamedTuple):
    """An enquiry of the person of a conversation."""

    id: str
    state: EnquiryState
    received_at: datetime


class OtherConversation(NamedTuple):
    """Another conversation linked to the same stay."""

    id: str
    name: str
    channel: Channel
    last_message_at: datetime


class ConversationRecord(NamedTuple):
    """One conversation; only the office may see its name and handles."""

    id: str
    name: str
    channel: Channel
    state: ConversationState
    awaits: TicketSide
    locale: str
    has_failure: bool
    version: int
    reservation_id: str | None
    enquiry_id: str | None
    assignee_id: str | None
    assignee: str | None
    closed_at: datetime | None
    closed_by: str | None
    handles: KnownHandles
    ways: Sequence[AnswerWay]
    ticket_to_answer: str | None
    tickets: Sequence[TicketOfPerson]
    enquiries: Sequence[EnquiryOfPerson]
    others: Sequence[OtherConversation]

    @property
    def readable_handles(self) -> Sequence[KnownHandle]:
        """The handles that mean something to a reader: without ids of reservations."""
        return [handle for handle in self.handles.all if handle.channel != Channel.PORTAL]


def conversation_record(
    session: Session, conversation_id: str, visibility: InboxVisibility
) -> ConversationRecord:
    """Return the conversation, or the one it was merged into; raise `NotFound` if invisible."""
    return asked_once(session, _read_conversation, conversation_id, visibility)


def _read_conversation(
    session: Session, conversation_id: str, visibility: InboxVisibility
) -> ConversationRecord:
    row = lock_conversation(session, conversation_id, visibility, is_changed=False)
    handles = known_handles(session, row)
    if row.assignee_id is None:
        assignee = None
    else:
        assignee = session.scalar(select(Person.name).where(Person.id == row.assignee_id))
    enquiries: Sequence[EnquiryOfPerson] = ()
    if visibility.is_whole:
        rows = session.execute(
            select(Enquiry.id, Enquiry.state, Enquiry.received_at)
            .where(handles.is_enquiry)
            .order_by(Enquiry.received_at.desc(), Enquiry.id)
            .limit(_FEW)
        )
        enquiries = [EnquiryOfPerson(*row) for row in rows]
    return ConversationRecord(
        id=row.id,
        name=row.name,
        channel=row.channel,
        state=row.state,
        awaits=row.awaits,
        locale=row.locale,
        has_failure=row.has_failure,
        version=row.version,
        reservation_id=row.reservation_id,
        enquiry_id=row.enquiry_id,
        assignee_id=row.assignee_id,
        assignee=assignee,
        closed_at=row.closed_at,
        closed_by=row.closed_by,
        handles=handles,
        ways=answer_ways(session, row, handles, visibility),
        ticket_to_answer=ticket_to_answer(session, handles, visibility),
        tickets=_list_tickets(session, row, handles, visibility),
        enquiries=enquiries,
        others=_list_other_conversations(session, row) if visibility.is_whole else (),
    )


def _list_tickets(
    session: Session, row: Conversation, handles: KnownHandles, visibility: InboxVisibility
) -> Sequence[TicketOfPerson]:
    """Return the tickets of the person and of the linked stay, open ones first, then newest."""
    is_of_stay = Ticket.reservation_id == row.reservation_id
    question = (
        select(Ticket.id, Ticket.subject, Ticket.state, Ticket.awaits, Ticket.last_message_at)
        .where(or_(handles.is_ticket, is_of_stay))
        .order_by(Ticket.state.desc(), Ticket.last_message_at.desc(), Ticket.id)
        .limit(_FEW)
    )
    return [TicketOfPerson(*row) for row in session.execute(visibility.tickets.narrow(question))]


def _list_other_conversations(session: Session, row: Conversation) -> Sequence[OtherConversation]:
    """Return the other conversations linked to the same stay."""
    if row.reservation_id is None:
        return ()
    rows = session.execute(
        select(
            Conversation.id, Conversation.name, Conversation.channel, Conversation.last_message_at
        )
        .where(
            Conversation.id != row.id,
            Conversation.merged_into_id.is_(None),
            Conversation.reservation_id == row.reservation_id,
        )
        .order_by(Conversation.last_message_at.desc(), Conversation.id)
        .limit(_FEW)
    )
    return [OtherConversation(*columns) for columns in rows]
