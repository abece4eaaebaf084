"""The messages of one conversation, page by page."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy import literal, select, union_all
from sqlalchemy.orm import Session

from pms.channels.answer_ways import (
    KnownHandles,
    known_handles,
)
from pms.channels.conversation_lists import InboxVisibility, lock_conversation
from pms.channels.message_files import PICTURE
from pms.channels.models import InboundEvent
from pms.foundation.lists import Paging
from pms.foundation.tenancy import refers_to
from pms.inbox.models import Enquiry, EnquiryNote, GuestMessage, Ticket, TicketMessage
from pms.rules.enumerations import TicketSide, TicketStep
from pms.rules.message_words import Channel, MessageKind, MessageState, WebhookSource

LINES_A_PAGE: Final = 50
_MESSAGE, _TICKET, _ENQUIRY, _ANSWER = "message", "ticket", "enquiry", "answer"


class Media(NamedTuple):
    """A picture or file of a message; without a key it is not stored, or not yet."""

    key: str | None
    type: str | None
    name: str | None
    failure: str | None
    is_known: bool = True
    """Whether there is a file that can be fetched."""

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
    has_original: bool = False
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
    of_tickets = (
        select(literal(_TICKET).label("source"), TicketMessage.id.label("id"), TicketMessage.at)
        .join(Ticket, refers_to(TicketMessage.ticket_id, Ticket))
        .where(handles.is_ticket)
    )
    if not visibility.is_whole:
        sources = [visibility.tickets.narrow(of_tickets)]
    else:
        sources = [
            of_tickets,
            select(literal(_MESSAGE), GuestMessage.id, GuestMessage.sent_at).where(
                GuestMessage.conversation_id == conversation_id
            ),
            select(literal(_ENQUIRY), Enquiry.id, Enquiry.received_at).where(handles.is_enquiry),
            select(literal(_ANSWER), EnquiryNote.id, EnquiryNote.at)
            .join(Enquiry, refers_to(EnquiryNote.enquiry_id, Enquiry))
            .where(EnquiryNote.is_answer, handles.is_enquiry),
        ]
    entries = union_all(*sources).subquery()
    asked = select(entries).order_by(entries.c.at.desc(), entries.c.id.desc())
    found = session.execute(asked.offset(paging.offset).limit(paging.limit + 1)).all()
    rows = found[: paging.limit]
    ids: dict[str, list[str]] = {}
    for source, id_, _ in rows:
        ids.setdefault(source, []).append(id_)
    lines = {line.id: line for line in _read_lines(session, ids)}
    ordered = [lines[id_] for _, id_, _ in reversed(rows) if id_ in lines]
    return Thread(ordered, len(found) > paging.limit)


def _read_lines(session: Session, ids: Mapping[str, Sequence[str]]) -> Iterable[ThreadLine]:
    if _TICKET in ids:
        yield from _of_tickets(session, ids[_TICKET])
    if _MESSAGE in ids:
        yield from _of_channels(session, ids[_MESSAGE])
    if _ENQUIRY in ids:
        of_enquiries = (
            ThreadLine(
                id=row.id,
                channel=Channel.MAIL,
                side=TicketSide.RESIDENT,
                at=row.received_at,
                by=None,
                text=row.message,
                enquiry_id=row.id,
            )
            for row in session.scalars(select(Enquiry).where(Enquiry.id.in_(ids[_ENQUIRY])))
        )
        yield from of_enquiries
    if _ANSWER in ids:
        of_answers = (
            ThreadLine(
                id=row.id,
                channel=Channel.MAIL,
                side=TicketSide.STAFF,
                at=row.at,
                by=row.by,
                text=row.text,
                enquiry_id=row.enquiry_id,
            )
            for row in session.scalars(select(EnquiryNote).where(EnquiryNote.id.in_(ids[_ANSWER])))
        )
        yield from of_answers


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
    originals = _find_originals(session, rows)
    for row in rows:
        is_here = row.taken_back_at is None
        if is_here:
            if row.media_id is None and row.media_key is None and row.media_failure is None:
                media = None
            else:
                is_known = row.media_id is not None
                media = Media(
                    row.media_key, row.media_type, row.media_name, row.media_failure, is_known
                )
        else:
            media = None
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
            media=media,
            quoted=quoted.get((row.channel, row.quoted_id or "")),
            is_edit=row.is_edit,
            listing=row.listing,
            has_original=row.id in originals,
        )


def _find_originals(session: Session, rows: Sequence[GuestMessage]) -> Collection[str]:
    """Return the messages whose mail is still stored as it came in."""
    mails = [
        row.id for row in rows if row.channel is Channel.MAIL and row.side is TicketSide.RESIDENT
    ]
    if not mails:
        return ()
    found = session.execute(
        select(InboundEvent.id, InboundEvent.body).where(
            InboundEvent.id.in_(mails), InboundEvent.source == WebhookSource.MAIL
        )
    )
    return {id_ for id_, body in found if body.get("file_key")}


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
