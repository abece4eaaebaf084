"""Keeps conversations in step with tickets, enquiries and people's addresses."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session, aliased

from pms.foundation.tenancy import refers_to
from pms.inbox.conversations import (
    ConversationWriter,
    add_handles,
    begin_conversation,
    enquiry_handle,
    find_next_sides,
    known_conversations,
    mail_handle,
    portal_handle,
)
from pms.inbox.models import Conversation, Enquiry, EnquiryNote, Ticket, TicketMessage
from pms.reservations.models import Reservation
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import Channel, ConversationState

PROGRAM: Final = "program"
PEOPLE_AT_ONCE: Final = 200
_LONGEST: Final = 500


class LastWords(NamedTuple):
    """The newest text of a ticket or an enquiry, and its person."""

    person: ConversationWriter
    channel: Channel
    text: str
    at: datetime
    ended_at: datetime
    side: TicketSide


def follow_tickets(session: Session, ticket_ids: Collection[str] | None) -> None:
    """Update the conversations of these tickets' residents; `None` means all tickets."""
    _follow_in_parts(session, ticket_ids, words_of_tickets, Ticket.id)


def follow_enquiries(session: Session, enquiry_ids: Collection[str] | None) -> None:
    """Update the conversations of these enquiries' people; `None` means all enquiries."""
    _follow_in_parts(session, enquiry_ids, words_of_enquiries, Enquiry.id)


def words_of_tickets(session: Session, ticket_ids: Collection[str]) -> Sequence[LastWords]:
    """Return the newest texts of these tickets, in one query."""
    rows = session.execute(_TICKETS.where(Ticket.id.in_(ticket_ids)))
    of_tickets: list[LastWords] = []
    for row in rows:
        handles = [portal_handle(row.reservation_id)]
        if row.email:
            handles.append(mail_handle(row.email))
        person = ConversationWriter(
            handles=tuple(handles),
            name=row.name,
            locale=row.locale,
            reservation_id=row.reservation_id,
        )
        ended_at = row.closed_at or row.at
        of_tickets.append(LastWords(person, Channel.PORTAL, row.text, row.at, ended_at, row.side))
    return of_tickets


def words_of_enquiries(session: Session, enquiry_ids: Collection[str]) -> Sequence[LastWords]:
    """Return the newest texts of these enquiries, in one query."""
    rows = session.execute(_ENQUIRIES.where(Enquiry.id.in_(enquiry_ids)))
    of_enquiries: list[LastWords] = []
    for row in rows:
        person = ConversationWriter(
            handles=(mail_handle(row.email_key) if row.email_key else enquiry_handle(row.id),),
            name=row.name,
            locale=row.locale,
            enquiry_id=row.id,
        )
        text, at = row.answer or row.message or row.name, row.answered_at or row.received_at
        side = TicketSide.STAFF if row.answer else TicketSide.RESIDENT
        of_enquiries.append(LastWords(person, Channel.MAIL, text, at, row.changed_at, side))
    return of_enquiries


def bring_up_to_date(session: Session, latest: Iterable[LastWords]) -> int:
    """Update each person's conversation with the newest texts; return how many changed."""
    words = sorted(latest, key=lambda words: words.at)
    known = known_conversations(session, [heard.person for heard in words])
    rows: list[Conversation] = []
    for latest_words, seen in zip(words, known, strict=True):
        # Two texts of one person share a conversation: the second finds the one the first began.
        row, new_handles = (
            seen if seen.row else known_conversations(session, [latest_words.person])[0]
        )
        if row is not None:
            add_handles(session, row, new_handles, latest_words.at)
        else:
            row = begin_conversation(
                session, latest_words.person, channel=latest_words.channel, at=latest_words.at
            )
        rows.append(row)
    turns = find_next_sides(session, {row.id for row in rows}) if rows else {}
    changed = sum(
        _apply_words(row, heard, turns[row.id]) for row, heard in zip(rows, words, strict=True)
    )
    session.flush()
    return changed


def _follow_in_parts(
    session: Session,
    ids: Collection[str] | None,
    words_of: Callable[[Session, Collection[str]], Sequence[LastWords]],
    id_column: Any,
) -> None:
    wanted = sorted(session.scalars(select(id_column)) if ids is None else ids)
    for start in range(0, len(wanted), PEOPLE_AT_ONCE):
        bring_up_to_date(session, words_of(session, wanted[start : start + PEOPLE_AT_ONCE]))


def _apply_words(row: Conversation, words: LastWords, turn: TicketSide) -> bool:
    """Write the text into the conversation unless it has a newer one, and set whose turn it is."""
    is_by_hand = row.state == ConversationState.DONE and row.closed_by != PROGRAM
    if is_by_hand and row.closed_at is not None and words.at <= row.closed_at:
        return False
    before = (row.last_words, row.last_message_at, row.awaits, row.state)
    is_newest = not row.last_words or words.at >= row.last_message_at
    if is_newest:
        row.last_message_at = words.at
        if words.side == TicketSide.RESIDENT:
            row.channel = words.channel
        row.last_words = words.text[:_LONGEST]
        if row.locale_by is None:
            row.locale = words.person.locale
        if words.person.reservation_id:
            row.reservation_id, row.linked_by = words.person.reservation_id, None
        row.enquiry_id = words.person.enquiry_id or row.enquiry_id
    if turn != TicketSide.NOBODY:
        row.awaits = turn
        if row.state == ConversationState.DONE:
            row.state, row.closed_at, row.closed_by = ConversationState.OPEN, None, None
    elif row.state == ConversationState.OPEN:
        _close_conversation(row, words, is_newest=is_newest)
    is_changed = before != (row.last_words, row.last_message_at, row.awaits, row.state)
    if is_changed:
        row.version += 1
    return is_changed


def _close_conversation(row: Conversation, words: LastWords, *, is_newest: bool) -> None:
    """Close a conversation nobody waits in; with newer messages on a channel it stays open.

    It also stays open if everything in it ended before it was reopened by hand, and while it has an
    answer that could not be sent.
    """
    if row.has_failure:
        return
    if row.reopened_at is not None and max(words.at, words.ended_at) <= row.reopened_at:
        return
    if is_newest:
        row.state, row.awaits = ConversationState.DONE, TicketSide.NOBODY
        row.closed_at, row.closed_by = words.ended_at, PROGRAM
    elif row.awaits == TicketSide.STAFF:
        row.awaits = TicketSide.RESIDENT


_Newer = aliased(TicketMessage)
_Answer = aliased(EnquiryNote)


def _is_newest_of_ticket() -> ColumnElement[bool]:
    newest = (
        select(_Newer.id)
        .where(
            refers_to(_Newer.ticket_id, Ticket),
            _Newer.text.is_not(None),
        )
        .order_by(_Newer.at.desc(), _Newer.id.desc())
        .limit(1)
        .correlate(Ticket)
        .scalar_subquery()
    )
    return TicketMessage.id == newest


_TICKETS: Final[Any] = (
    select(
        Ticket.reservation_id,
        Reservation.name,
        Reservation.email,
        Reservation.locale,
        TicketMessage.text,
        TicketMessage.at,
        TicketMessage.side,
        Ticket.closed_at,
    )
    .select_from(Ticket)
    .join(Reservation, refers_to(Ticket.reservation_id, Reservation))
    .join(
        TicketMessage,
        and_(
            refers_to(TicketMessage.ticket_id, Ticket),
            _is_newest_of_ticket(),
        ),
    )
)


def _is_newest_answer() -> ColumnElement[bool]:
    newest = (
        select(_Answer.id)
        .where(
            refers_to(_Answer.enquiry_id, Enquiry),
            _Answer.is_answer,
        )
        .order_by(_Answer.at.desc(), _Answer.id.desc())
        .limit(1)
        .correlate(Enquiry)
        .scalar_subquery()
    )
    return EnquiryNote.id == newest


_ENQUIRIES: Final[Any] = (
    select(
        Enquiry.id,
        Enquiry.name,
        Enquiry.email_key,
        Enquiry.locale,
        Enquiry.message,
        Enquiry.received_at,
        Enquiry.changed_at,
        EnquiryNote.text.label("answer"),
        EnquiryNote.at.label("answered_at"),
    )
    .select_from(Enquiry)
    .outerjoin(
        EnquiryNote,
        and_(
            refers_to(EnquiryNote.enquiry_id, Enquiry),
            _is_newest_answer(),
        ),
    )
)


_AT_TICKETS: Final = "tickets/"
_AT_ENQUIRIES: Final = "enquiries/"


class CaughtUp(NamedTuple):
    """How many conversations changed, and where the next part continues; None ends the day."""

    done: int
    after: str | None


def catch_up_with_people(session: Session, after: str | None = None) -> CaughtUp:
    """Update some conversations from tickets, then enquiries, after the place of the last part.

    Normally each write does so at once; this finds what was stored before the inbox existed or
    without the program. Repeats change nothing.
    """
    kind, _, last_id = (after or _AT_TICKETS).partition("/")
    is_tickets = f"{kind}/" == _AT_TICKETS
    id_column = Ticket.id if is_tickets else Enquiry.id
    wanted = select(id_column).order_by(id_column).limit(PEOPLE_AT_ONCE)
    ids = list(session.scalars(wanted.where(id_column > last_id) if last_id else wanted))
    words_of = words_of_tickets if is_tickets else words_of_enquiries
    done = bring_up_to_date(session, words_of(session, ids)) if ids else 0
    if len(ids) == PEOPLE_AT_ONCE:
        return CaughtUp(done, f"{kind}/{ids[-1]}")
    return CaughtUp(done, _AT_ENQUIRIES if is_tickets else None)
