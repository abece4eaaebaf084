"""Conversations as the inbox and a thread show them."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, case, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.models import Building, Unit
from pms.channels.inbox_reach import InboxReach
from pms.foundation.phrases import Bilingual
from pms.foundation.run_records import Paging
from pms.foundation.search import finds
from pms.inbox.models import Conversation
from pms.reservations.models import Reservation
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import Channel, ConversationState

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
