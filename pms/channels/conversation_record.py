"""One conversation with its messages."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import literal, or_, select, union_all
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
from pms.channels.messages import PICTURE
from pms.foundation.lists import Paging
from pms.foundation.tenancy import refers_to
from pms.inbox.models import Conversation, Enquiry, EnquiryNote, GuestMessage, Ticket, TicketMessage
from pms.rules.enumerations import EnquiryState, TicketSide, TicketState, TicketStep
from pms.rules.message_words import Channel, ConversationState, MessageKind, MessageState

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
    row = lock_conversation(session, conversation_id, visibility, is_changed=False)
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
        assignee=_find_person_name(session, row.assignee_id),
        closed_at=row.closed_at,
        closed_by=row.closed_by,
        handles=handles,
        ways=answer_ways(session, row, handles, visibility),
        ticket_to_answer=ticket_to_answer(session, handles, visibility),
        tickets=_list_tickets(session, row, handles, visibility),
        enquiries=_list_enquiries(session, handles) if visibility.is_whole else (),
        others=_list_other_conversations(session, row) if visibility.is_whole else (),
    )


def _find_person_name(session: Session, person_id: str | None) -> str | None:
    if person_id is None:
        return None
    return session.scalar(select(Person.name).where(Person.id == person_id))


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


def _list_enquiries(session: Session, handles: KnownHandles) -> Sequence[EnquiryOfPerson]:
    rows = session.execute(
        select(Enquiry.id, Enquiry.state, Enquiry.received_at)
        .where(handles.is_enquiry)
        .order_by(Enquiry.received_at.desc(), Enquiry.id)
        .limit(_FEW)
    )
    return [EnquiryOfPerson(*row) for row in rows]


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


LINES_A_PAGE: Final = 50
_MESSAGE, _TICKET, _ENQUIRY, _ANSWER = "message", "ticket", "enquiry", "answer"


class Media(NamedTuple):
    """A picture or file of a message; without a key it is not stored, or not yet."""

    key: str | None
    type: str | None
    name: str | None
    failure: str | None

    @property
    def is_picture(self) -> bool:
        """Whether it was re-encoded as a picture, so that it is safe to show."""
        return self.key is not None and self.type == PICTURE


class ThreadLine(NamedTuple):
    """One line of a thread: words, a picture, or a step of the ticket's work."""

    id: str
    channel: Channel
    side: TicketSide
    at: datetime
    by: str | None
    text: str = ""
    kind: MessageKind = MessageKind.TEXT
    state: MessageState | None = None
    failure: str | None = None
    is_taken_back: bool = False
    media: Media | None = None
    quoted: str | None = None
    is_edit: bool = False
    listing: str | None = None
    ticket_id: str | None = None
    subject: str | None = None
    step: TicketStep | None = None
    step_on: date | None = None
    enquiry_id: str | None = None


class Thread(NamedTuple):
    """One page of a thread, the oldest line first; `has_earlier` if more came before."""

    lines: Sequence[ThreadLine]
    has_earlier: bool


def conversation_thread(
    session: Session,
    conversation_id: str,
    handles: KnownHandles,
    visibility: InboxVisibility,
    page: int = 1,
) -> Thread:
    """Return one page of the messages, the latest page first, in at most six queries.

    With limited visibility only the messages of the visible tickets are returned.
    """
    paging = Paging(page, LINES_A_PAGE)
    entries = union_all(*_select_sources(conversation_id, handles, visibility)).subquery()
    asked = select(entries).order_by(entries.c.at.desc(), entries.c.id.desc())
    found = session.execute(asked.offset(paging.offset).limit(paging.limit + 1)).all()
    rows = found[: paging.limit]
    ids: dict[str, list[str]] = {}
    for source, id_, _ in rows:
        ids.setdefault(source, []).append(id_)
    lines = {line.id: line for line in _read_lines(session, ids)}
    ordered = [lines[id_] for _, id_, _ in reversed(rows) if id_ in lines]
    return Thread(ordered, len(found) > paging.limit)


def _select_sources(
    conversation_id: str, handles: KnownHandles, visibility: InboxVisibility
) -> list[Any]:
    of_tickets = (
        select(literal(_TICKET).label("source"), TicketMessage.id.label("id"), TicketMessage.at)
        .join(Ticket, refers_to(TicketMessage.ticket_id, Ticket))
        .where(handles.is_ticket)
    )
    if not visibility.is_whole:
        return [visibility.tickets.narrow(of_tickets)]
    return [
        of_tickets,
        select(literal(_MESSAGE), GuestMessage.id, GuestMessage.sent_at).where(
            GuestMessage.conversation_id == conversation_id
        ),
        select(literal(_ENQUIRY), Enquiry.id, Enquiry.received_at).where(handles.is_enquiry),
        select(literal(_ANSWER), EnquiryNote.id, EnquiryNote.at)
        .join(Enquiry, refers_to(EnquiryNote.enquiry_id, Enquiry))
        .where(EnquiryNote.is_answer, handles.is_enquiry),
    ]


def _read_lines(session: Session, ids: Mapping[str, Sequence[str]]) -> Iterable[ThreadLine]:
    if _TICKET in ids:
        yield from _of_tickets(session, ids[_TICKET])
    if _MESSAGE in ids:
        yield from _of_channels(session, ids[_MESSAGE])
    if _ENQUIRY in ids:
        yield from _of_enquiries(session, ids[_ENQUIRY])
    if _ANSWER in ids:
        yield from _of_answers(session, ids[_ANSWER])


def _of_tickets(session: Session, ids: Sequence[str]) -> Iterable[ThreadLine]:
    rows = session.execute(
        select(TicketMessage, Ticket.subject)
        .join(Ticket, refers_to(TicketMessage.ticket_id, Ticket))
        .where(TicketMessage.id.in_(ids))
    )
    for row, subject in rows:
        yield ThreadLine(
            id=row.id,
            channel=Channel.PORTAL,
            side=row.side,
            at=row.at,
            by=row.by,
            text=row.text or "",
            ticket_id=row.ticket_id,
            subject=subject,
            step=row.step,
            step_on=row.step_on,
        )


def _of_channels(session: Session, ids: Sequence[str]) -> Iterable[ThreadLine]:
    rows = session.scalars(select(GuestMessage).where(GuestMessage.id.in_(ids))).all()
    quoted = _read_quotes(session, rows)
    for row in rows:
        is_here = row.taken_back_at is None
        yield ThreadLine(
            id=row.id,
            channel=row.channel,
            side=row.side,
            at=row.sent_at,
            by=row.by,
            text=row.text if is_here else "",
            kind=row.kind,
            state=row.state,
            failure=row.failure,
            is_taken_back=not is_here,
            media=_build_media(row) if is_here else None,
            quoted=quoted.get((row.channel, row.quoted_id or "")),
            is_edit=row.is_edit,
            listing=row.listing,
        )


def _build_media(row: GuestMessage) -> Media | None:
    if row.media_id is None and row.media_key is None and row.media_failure is None:
        return None
    return Media(row.media_key, row.media_type, row.media_name, row.media_failure)


def _read_quotes(
    session: Session, rows: Sequence[GuestMessage]
) -> Mapping[tuple[Channel, str], str]:
    wanted = {row.quoted_id for row in rows if row.quoted_id}
    if not wanted:
        return {}
    conversations = {row.conversation_id for row in rows}
    found = session.execute(
        select(GuestMessage.channel, GuestMessage.external_id, GuestMessage.text).where(
            GuestMessage.conversation_id.in_(conversations),
            GuestMessage.external_id.in_(wanted),
            GuestMessage.taken_back_at.is_(None),
        )
    )
    return {(channel, external_id or ""): text for channel, external_id, text in found}


def _of_enquiries(session: Session, ids: Sequence[str]) -> Iterable[ThreadLine]:
    for row in session.scalars(select(Enquiry).where(Enquiry.id.in_(ids))):
        yield ThreadLine(
            id=row.id,
            channel=Channel.MAIL,
            side=TicketSide.RESIDENT,
            at=row.received_at,
            by=None,
            text=row.message,
            enquiry_id=row.id,
        )


def _of_answers(session: Session, ids: Sequence[str]) -> Iterable[ThreadLine]:
    for row in session.scalars(select(EnquiryNote).where(EnquiryNote.id.in_(ids))):
        yield ThreadLine(
            id=row.id,
            channel=Channel.MAIL,
            side=TicketSide.STAFF,
            at=row.at,
            by=row.by,
            text=row.text,
            enquiry_id=row.enquiry_id,
        )


class WordsToReport(NamedTuple):
    """Words with their writer; empty when the latest page of the thread has none of the person."""

    reservation_id: str | None
    text: str


def words_to_report(
    session: Session, conversation_id: str, visibility: InboxVisibility
) -> WordsToReport:
    """Return the person's last words, without reactions and pictures without text.

    Raises `NotFound` for a conversation that is not visible.
    """
    row = lock_conversation(session, conversation_id, visibility, is_changed=False)
    thread = conversation_thread(session, row.id, known_handles(session, row), visibility)
    for line in reversed(thread.lines):
        is_theirs = line.side == TicketSide.RESIDENT and line.kind is not MessageKind.REACTION
        if is_theirs and line.text:
            return WordsToReport(row.reservation_id, line.text)
    return WordsToReport(row.reservation_id, "")
