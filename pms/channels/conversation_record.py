"""One conversation with what one has to know to answer: the ways, tickets and enquiries, its stay."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.channels.answer_ways import AnswerWay, answer_ways
from pms.channels.conversation_in_hand import conversation_in_hand
from pms.channels.inbox_reach import InboxReach
from pms.channels.known_handles import KnownHandle, KnownHandles, known_handles
from pms.channels.models import Conversation
from pms.channels.ticket_to_answer import ticket_to_answer
from pms.enquiries.models import Enquiry
from pms.rules.channel_words import Channel, ConversationState
from pms.rules.enumerations import EnquiryState, TicketSide, TicketState
from pms.upkeep.models import Ticket

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
    """Another conversation that is linked with the same stay."""

    id: str
    name: str
    channel: Channel
    last_message_at: datetime


class ConversationRecord(NamedTuple):
    """One conversation as it stands; name and handles are for the office alone to show."""

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
    def named(self) -> Sequence[KnownHandle]:
        """The names on channels that say something to a reader: no ids of reservations."""
        return [one for one in self.handles.all if one.channel != Channel.PORTAL]


def conversation_record(
    session: Session, conversation_id: str, reach: InboxReach
) -> ConversationRecord:
    """Return the conversation, or the one it was merged into; raise `NotFound` out of reach."""
    row = conversation_in_hand(session, conversation_id, reach, is_changed=False)
    handles = known_handles(session, row)
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
        assignee=_person(session, row.assignee_id),
        closed_at=row.closed_at,
        closed_by=row.closed_by,
        handles=handles,
        ways=answer_ways(session, row, handles, reach),
        ticket_to_answer=ticket_to_answer(session, handles, reach),
        tickets=_tickets(session, row, handles, reach),
        enquiries=_enquiries(session, handles) if reach.is_whole else (),
        others=_others(session, row) if reach.is_whole else (),
    )


def _person(session: Session, person_id: str | None) -> str | None:
    if person_id is None:
        return None
    return session.scalar(select(Person.name).where(Person.id == person_id))


def _tickets(
    session: Session, row: Conversation, handles: KnownHandles, reach: InboxReach
) -> Sequence[TicketOfPerson]:
    """Theirs and those of the stay beside it, the open ones first, then the newest."""
    is_of_stay = Ticket.reservation_id == row.reservation_id
    question = (
        select(Ticket.id, Ticket.subject, Ticket.state, Ticket.awaits, Ticket.last_message_at)
        .where(or_(handles.is_ticket, is_of_stay))
        .order_by(Ticket.state.desc(), Ticket.last_message_at.desc(), Ticket.id)
        .limit(_FEW)
    )
    return [TicketOfPerson(*row) for row in session.execute(reach.tickets.narrow(question))]


def _enquiries(session: Session, handles: KnownHandles) -> Sequence[EnquiryOfPerson]:
    rows = session.execute(
        select(Enquiry.id, Enquiry.state, Enquiry.received_at)
        .where(handles.is_enquiry)
        .order_by(Enquiry.received_at.desc(), Enquiry.id)
        .limit(_FEW)
    )
    return [EnquiryOfPerson(*row) for row in rows]


def _others(session: Session, row: Conversation) -> Sequence[OtherConversation]:
    """Those that are linked with the same stay."""
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
    return [OtherConversation(*one) for one in rows]
