"""Conversations as the inbox and a thread show them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, cast, exists, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.models import Building, Unit
from pms.channels.inbox_reach import InboxReach
from pms.channels.known_handles import ENQUIRY
from pms.channels.models import Conversation, ConversationHandle, GuestMessage
from pms.enquiries.models import Enquiry, EnquiryNote
from pms.foundation.db import Id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.run_records import Paging
from pms.foundation.search import finds
from pms.reservations.models import Reservation
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import EnquiryState, TicketSide, TicketState
from pms.rules.message_words import Channel, ConversationState, MessageKind
from pms.upkeep.models import Ticket, TicketMessage

_IS_FOR_US: Final = or_(Conversation.awaits == TicketSide.STAFF, Conversation.has_failure)


class InboxSearch(NamedTuple):
    """Which conversations a list asks for; what is unset keeps everything.

    Where an answer did not arrive it is the staff who are waited for, whoever spoke last.
    """

    state: ConversationState = ConversationState.OPEN
    awaits: TicketSide | None = None
    channel: Channel | None = None
    assignee_id: str | None = None
    is_nobodys: bool = False
    text: str = ""


class ListedConversation(NamedTuple):
    """One conversation of a list; name and words are for the office alone to show."""

    id: str
    name: str
    channel: Channel
    state: ConversationState
    awaits: TicketSide
    locale: str
    has_failure: bool
    last_words: str
    last_message_at: datetime
    assignee_id: str | None
    assignee: str | None
    unit_name: str | None
    building: Bilingual


class FoundConversations(NamedTuple):
    """One page of conversations, and how many there are."""

    rows: Sequence[ListedConversation]
    total: int


class InboxCounts(NamedTuple):
    """How many open conversations wait for the staff, and in how many something failed."""

    waiting: int
    failed: int


_STAY: Final = and_(
    Reservation.workspace_id == Conversation.workspace_id,
    Reservation.id == Conversation.reservation_id,
)
_UNIT: Final = and_(Unit.workspace_id == Reservation.workspace_id, Unit.id == Reservation.unit_id)
_BUILDING: Final = and_(Building.workspace_id == Unit.workspace_id, Building.id == Unit.building_id)
_ROWS: Final[Any] = (
    select(
        Conversation.id,
        Conversation.name,
        Conversation.channel,
        Conversation.state,
        Conversation.awaits,
        Conversation.locale,
        Conversation.has_failure,
        Conversation.last_words,
        Conversation.last_message_at,
        Conversation.assignee_id,
        Person.name,
        Unit.name,
        Building.name,
        Building.name_en,
    )
    .select_from(Conversation)
    .outerjoin(Reservation, _STAY)
    .outerjoin(Unit, _UNIT)
    .outerjoin(Building, _BUILDING)
    .outerjoin(Person, Person.id == Conversation.assignee_id)
)


def inbox_list(
    session: Session, search: InboxSearch, paging: Paging, reach: InboxReach
) -> FoundConversations:
    """Return one page of the conversations within reach."""
    wanted = list(_conditions(search))
    count = select(func.count(Conversation.id)).select_from(Conversation)
    if search.text:
        count = count.outerjoin(Reservation, _STAY).outerjoin(Unit, _UNIT)
        count = count.outerjoin(Building, _BUILDING)
    total = session.scalar(reach.narrow(session, count.where(*wanted))) or 0
    page = reach.narrow(session, _ROWS.where(*wanted)).order_by(*_order(search))
    rows = session.execute(page.offset(min(paging.offset, total)).limit(paging.limit))
    return FoundConversations([listed(row) for row in rows], total)


def find_conversations(
    session: Session, text: str, most: int, *, apart_from: str
) -> Sequence[ListedConversation]:
    """Return the newest conversations, open or done, that hold the words, but for one."""
    if not text.strip():
        return []
    page = _ROWS.where(
        Conversation.merged_into_id.is_(None), Conversation.id != apart_from, _holds(text)
    ).order_by(Conversation.last_message_at.desc(), Conversation.id)
    return [listed(row) for row in session.execute(page.limit(most))]


def inbox_counts(session: Session, reach: InboxReach) -> InboxCounts:
    """Return what the tabs of the inbox and the first screen tell."""
    question = select(
        func.coalesce(func.sum(case((_IS_FOR_US, 1), else_=0)), 0),
        func.coalesce(func.sum(case((Conversation.has_failure, 1), else_=0)), 0),
    ).where(Conversation.state == ConversationState.OPEN, Conversation.merged_into_id.is_(None))
    waiting, failed = session.execute(reach.narrow(session, question)).one()
    return InboxCounts(int(waiting), int(failed))


def listed(row: Sequence[Any]) -> ListedConversation:
    """Return a row of the columns as a conversation."""
    *facts, ja, en = row
    return ListedConversation._make((*facts, Bilingual(ja, en)))


def _conditions(search: InboxSearch) -> Iterator[ColumnElement[bool]]:
    yield Conversation.state == search.state
    yield Conversation.merged_into_id.is_(None)
    if search.awaits == TicketSide.STAFF:
        yield _IS_FOR_US
    elif search.awaits is not None:
        yield Conversation.awaits == search.awaits
    if search.channel is not None:
        yield Conversation.channel == search.channel
    if search.is_nobodys:
        yield Conversation.assignee_id.is_(None)
    if search.assignee_id:
        yield Conversation.assignee_id == search.assignee_id
    if search.text:
        yield _holds(search.text)


def _holds(text: str) -> ColumnElement[bool]:
    """Whether each word stands in what was said or in what is known of the stay."""
    columns = Conversation.search_text, Reservation.search_text, Unit.name_text
    return finds(text, *columns, Building.name_text)


def _order(search: InboxSearch) -> Sequence[ColumnElement[Any]]:
    if search.state == ConversationState.DONE:
        return (Conversation.last_message_at.desc(), Conversation.id.desc())
    is_ours = Conversation.awaits == TicketSide.STAFF
    return (
        case((Conversation.has_failure, 0), else_=1).asc(),
        case((is_ours, 0), else_=1).asc(),
        case((is_ours, Conversation.last_message_at)).asc(),
        Conversation.last_message_at.desc(),
        Conversation.id.asc(),
    )


def whose_turn(session: Session, conversation_ids: Collection[str]) -> Mapping[str, TicketSide]:
    """Return whose turn it is in each conversation, asked for in one question.

    The staff's, as long as a ticket waits for them, an enquiry is new, or their last words on a
    channel were answered on none. Then the person's, while a ticket or an enquiry is open.
    """
    session.flush()
    rows = session.execute(
        select(
            Conversation.id,
            _ticket(Ticket.awaits == TicketSide.STAFF),
            _enquiry(Enquiry.state == EnquiryState.NEW),
            _ticket(),
            _enquiry(Enquiry.state.in_(OPEN)),
            _of_channels(TicketSide.RESIDENT).scalar_subquery(),
            _of_channels(TicketSide.STAFF).scalar_subquery(),
            _in_tickets().scalar_subquery(),
            _in_enquiries().scalar_subquery(),
        ).where(one_of(Conversation.id, conversation_ids))
    )
    return {row[0]: _turn(*row[1:]) for row in rows}


def _turn(
    waits: bool,
    is_new: bool,
    has_ticket: bool,
    has_enquiry: bool,
    asked_at: datetime | None,
    *answered_at: datetime | None,
) -> TicketSide:
    answers = [at for at in answered_at if at is not None]
    is_unanswered = asked_at is not None and not any(at >= asked_at for at in answers)
    if waits or is_new or is_unanswered:
        return TicketSide.STAFF
    return TicketSide.RESIDENT if has_ticket or has_enquiry else TicketSide.NOBODY


def _has_handle(channel: Channel) -> tuple[ColumnElement[bool], ...]:
    return (
        ConversationHandle.workspace_id == Conversation.workspace_id,
        ConversationHandle.conversation_id == Conversation.id,
        ConversationHandle.channel == channel,
    )


def _named_stay() -> ColumnElement[str]:
    """The reservation a handle of the portal names; no other handle need be an id."""
    is_stay = ConversationHandle.channel == Channel.PORTAL
    return case((is_stay, cast(ConversationHandle.handle, Id)))


def _ticket(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether an open ticket of the person meets these."""
    return (
        exists()
        .where(
            *_has_handle(Channel.PORTAL),
            Ticket.reservation_id == _named_stay(),
            Ticket.workspace_id == Conversation.workspace_id,
            Ticket.state == TicketState.OPEN,
            *conditions,
        )
        .correlate(Conversation)
    )


def _is_theirs() -> ColumnElement[bool]:
    """Whether an enquiry came from the person: from an address of theirs, or linked."""
    by_itself = func.substr(ConversationHandle.handle, len(ENQUIRY) + 1)
    is_known = exists().where(
        *_has_handle(Channel.MAIL),
        case(
            (ConversationHandle.handle.startswith(ENQUIRY), Enquiry.id == cast(by_itself, Id)),
            else_=ConversationHandle.handle == Enquiry.email_key,
        ),
    )
    return (Enquiry.id == Conversation.enquiry_id) | is_known.correlate(Conversation, Enquiry)


def _enquiry(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return (
        exists()
        .where(Enquiry.workspace_id == Conversation.workspace_id, condition, _is_theirs())
        .correlate(Conversation)
    )


def _of_channels(side: TicketSide) -> Select[Any]:
    # By when it arrived here: a sender's clock may be ahead.
    return (
        select(func.max(GuestMessage.received_at))
        .where(
            GuestMessage.workspace_id == Conversation.workspace_id,
            GuestMessage.conversation_id == Conversation.id,
            GuestMessage.side == side,
            GuestMessage.kind != MessageKind.REACTION,
            GuestMessage.taken_back_at.is_(None),
        )
        .correlate(Conversation)
    )


def _in_tickets() -> Select[Any]:
    return (
        select(func.max(TicketMessage.at))
        .where(
            *_has_handle(Channel.PORTAL),
            Ticket.reservation_id == _named_stay(),
            Ticket.workspace_id == Conversation.workspace_id,
            TicketMessage.workspace_id == Ticket.workspace_id,
            TicketMessage.ticket_id == Ticket.id,
            TicketMessage.side == TicketSide.STAFF,
            TicketMessage.text.is_not(None),
        )
        .correlate(Conversation)
    )


def _in_enquiries() -> Select[Any]:
    return (
        select(func.max(EnquiryNote.at))
        .where(
            Enquiry.workspace_id == Conversation.workspace_id,
            _is_theirs(),
            EnquiryNote.workspace_id == Enquiry.workspace_id,
            EnquiryNote.enquiry_id == Enquiry.id,
            EnquiryNote.is_answer,
        )
        .correlate(Conversation)
    )
