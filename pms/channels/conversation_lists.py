"""Visibility of conversations, and the conversation list of the inbox."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple, Self, TypeVarTuple

from sqlalchemy import ColumnElement, Select, case, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.models import Building, Unit
from pms.enquiries.leads import known_office_person
from pms.foundation.audit import note_change
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging, finds
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, has_row
from pms.inbox.models import Conversation, ConversationHandle, Ticket
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Locale, StaffRole, TicketSide
from pms.rules.message_words import Channel, ConversationState
from pms.upkeep.tickets import TicketVisibility

Columns = TypeVarTuple("Columns")


@dataclass(frozen=True, slots=True)
class InboxVisibility:
    """The visible conversations and messages; with limited tickets only those tickets' messages."""

    tickets: TicketVisibility

    @classmethod
    def everything(cls) -> Self:
        """Return the visibility of the office and of the program itself."""
        return cls(TicketVisibility.everything())

    @classmethod
    def of_staff(cls, role: StaffRole, person_id: str) -> Self:
        """Return the visibility of a staff member (specification, Surfaces)."""
        return cls(TicketVisibility.of_staff(role, person_id))

    @property
    def is_whole(self) -> bool:
        """Whether everything is visible."""
        return self.tickets == TicketVisibility.everything()

    def narrow(self, session: Session, question: Select[*Columns]) -> Select[*Columns]:
        """Return a query for conversations, limited to the visible ones."""
        if self.is_whole:
            return question
        residents = session.scalars(self.tickets.narrow(select(Ticket.reservation_id))).all()
        theirs = select(ConversationHandle.conversation_id).where(
            ConversationHandle.channel == Channel.PORTAL,
            ConversationHandle.handle.in_(sorted(set(residents))),
        )
        return question.where(Conversation.id.in_(theirs))


def lock_conversation(
    session: Session, conversation_id: str, visibility: InboxVisibility, *, is_changed: bool = True
) -> Conversation:
    """Return the conversation, or the one it was merged into; raise `NotFound` if invisible."""
    session.flush()
    wanted = conversation_id if is_id(conversation_id) else None
    # A conversation may have been merged several times; merges never form a cycle.
    while wanted is not None:
        question = visibility.narrow(session, select(Conversation).where(Conversation.id == wanted))
        if is_changed:
            question = question.with_for_update().execution_options(populate_existing=True)
        found = session.scalar(question)
        if found is None:
            # Its handles moved with the merge, so the visibility filter no longer finds it.
            asked = select(Conversation.merged_into_id).where(Conversation.id == wanted)
            wanted = session.scalar(asked)
        elif found.merged_into_id is None:
            return found
        else:
            wanted = found.merged_into_id
    raise no_such("conversation", conversation_id)


def assign_conversation(work: Work, *, conversation_id: str, person_id: str | None) -> None:
    """Set the assignee, or clear it with None; raise `Refused` for a person not of the office."""
    row = lock_conversation(work.session, conversation_id, InboxVisibility.everything())
    assignee = known_office_person(work.session, "assigneeId", person_id, Conversation, row.id)
    if assignee == row.assignee_id:
        return
    row.assignee_id = assignee
    row.version += 1
    note_change(work, AuditEvent.CONVERSATION_ASSIGNED, row)
    work.session.flush()


def close_conversation(work: Work, *, conversation_id: str) -> None:
    """Close the conversation unless it is done; its tickets and enquiries do not change."""
    row = lock_conversation(work.session, conversation_id, InboxVisibility.everything())
    if row.state == ConversationState.DONE:
        return
    row.state, row.awaits = ConversationState.DONE, TicketSide.NOBODY
    row.closed_at, row.closed_by = work.clock.now(), work.actor
    row.version += 1
    note_change(work, AuditEvent.CONVERSATION_CLOSED, row)
    work.session.flush()


def set_conversation_language(
    work: Work, *, conversation_id: str, locale: str | None, version: int | None = None
) -> None:
    """Set the language, marked as set by staff, so that later messages do not change it.

    The present language again changes nothing, whatever the version. Raises `Refused` for a
    language other than Japanese or English, and `Collision` when the version is no longer the
    expected one.
    """
    row = lock_conversation(work.session, conversation_id, InboxVisibility.everything())
    if locale not in list(Locale):
        raise Refused("locale: choose Japanese or English.")
    if locale == row.locale:
        return
    if version is not None and row.version != version:
        raise Collision(
            "locale: a colleague changed this conversation in the meantime. Check it again."
        )
    row.locale, row.locale_by = Locale(locale).value, work.actor
    row.version += 1
    note_change(work, AuditEvent.CONVERSATION_LANGUAGE_SET, row)
    work.session.flush()


def link_conversation(work: Work, *, conversation_id: str, reservation_id: str | None) -> None:
    """Set the person's stay, or clear it with None; raise `Refused` for an unknown stay.

    Conversations are not merged by it: two people of one stay may each write on their own channels.
    """
    row = lock_conversation(work.session, conversation_id, InboxVisibility.everything())
    known = reservation_id or None
    if known is not None and not has_row(work.session, Reservation, known):
        raise Refused("reservationId: this reservation was not found.")
    if known == row.reservation_id:
        return
    row.reservation_id, row.linked_by = known, work.actor if known else None
    row.version += 1
    note_change(work, AuditEvent.CONVERSATION_LINKED, row)
    work.session.flush()


_IS_FOR_US: Final = or_(Conversation.awaits == TicketSide.STAFF, Conversation.has_failure)


class InboxSearch(NamedTuple):
    """The filters of a conversation list; an unset filter excludes nothing.

    A conversation with a failed reply waits for staff, whoever wrote last.
    """

    state: ConversationState = ConversationState.OPEN
    awaits: TicketSide | None = None
    channel: Channel | None = None
    assignee_id: str | None = None
    is_nobodys: bool = False
    text: str = ""


class ListedConversation(NamedTuple):
    """One conversation of a list; only the office may see its name and words."""

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


class ConversationPage(NamedTuple):
    """One page of conversations, and the number of all."""

    rows: Sequence[ListedConversation]
    total: int


class InboxCounts(NamedTuple):
    """The number of open conversations that wait for staff, and of those with a failure."""

    waiting: int
    failed: int


_STAY: Final = refers_to(Conversation.reservation_id, Reservation)
_UNIT: Final = refers_to(Reservation.unit_id, Unit)
_BUILDING: Final = refers_to(Unit.building_id, Building)
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
    session: Session, search: InboxSearch, paging: Paging, visibility: InboxVisibility
) -> ConversationPage:
    """Return one page of the visible conversations."""
    wanted: list[ColumnElement[bool]] = [
        Conversation.state == search.state,
        Conversation.merged_into_id.is_(None),
    ]
    if search.awaits == TicketSide.STAFF:
        wanted.append(_IS_FOR_US)
    elif search.awaits is not None:
        wanted.append(Conversation.awaits == search.awaits)
    if search.channel is not None:
        wanted.append(Conversation.channel == search.channel)
    if search.is_nobodys:
        wanted.append(Conversation.assignee_id.is_(None))
    if search.assignee_id:
        wanted.append(Conversation.assignee_id == search.assignee_id)
    if search.text:
        wanted.append(_contains_text(search.text))
    count = select(func.count(Conversation.id)).select_from(Conversation)
    if search.text:
        count = count.outerjoin(Reservation, _STAY).outerjoin(Unit, _UNIT)
        count = count.outerjoin(Building, _BUILDING)
    total = session.scalar(visibility.narrow(session, count.where(*wanted))) or 0
    sort_columns: tuple[ColumnElement[Any], ...]
    if search.state == ConversationState.DONE:
        sort_columns = (Conversation.last_message_at.desc(), Conversation.id.desc())
    else:
        is_ours = Conversation.awaits == TicketSide.STAFF
        sort_columns = (
            case((Conversation.has_failure, 0), else_=1).asc(),
            case((is_ours, 0), else_=1).asc(),
            case((is_ours, Conversation.last_message_at)).asc(),
            Conversation.last_message_at.desc(),
            Conversation.id.asc(),
        )
    page = visibility.narrow(session, _ROWS.where(*wanted)).order_by(*sort_columns)
    rows = session.execute(page.offset(min(paging.offset, total)).limit(paging.limit))
    return ConversationPage([listed_conversation(row) for row in rows], total)


def find_conversations(
    session: Session, text: str, most: int, *, apart_from: str
) -> Sequence[ListedConversation]:
    """Return the newest conversations, open or done, with the words, except `apart_from`."""
    if not text.strip():
        return []
    page = _ROWS.where(
        Conversation.merged_into_id.is_(None), Conversation.id != apart_from, _contains_text(text)
    ).order_by(Conversation.last_message_at.desc(), Conversation.id)
    return [listed_conversation(row) for row in session.execute(page.limit(most))]


def inbox_counts(session: Session, visibility: InboxVisibility) -> InboxCounts:
    """Return the counts for the tabs of the inbox and the first page."""
    question = select(
        func.coalesce(func.sum(case((_IS_FOR_US, 1), else_=0)), 0),
        func.coalesce(func.sum(case((Conversation.has_failure, 1), else_=0)), 0),
    ).where(Conversation.state == ConversationState.OPEN, Conversation.merged_into_id.is_(None))
    waiting, failed = session.execute(visibility.narrow(session, question)).one()
    return InboxCounts(int(waiting), int(failed))


def listed_conversation(row: Sequence[Any]) -> ListedConversation:
    """Return a result row as a conversation."""
    *facts, ja, en = row
    return ListedConversation._make((*facts, Bilingual(ja, en)))


def _contains_text(text: str) -> ColumnElement[bool]:
    """Return the condition that each word is in the messages or in the data of the stay."""
    columns = Conversation.search_text, Reservation.search_text, Unit.name_text
    return finds(text, *columns, Building.name_text)
