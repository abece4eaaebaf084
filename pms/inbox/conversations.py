"""Conversations: the handles of a person, the conversation they lead to, and whose turn it is."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, cast, exists, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.db import Id
from pms.foundation.ids import new_id
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.inbox.models import (
    Conversation,
    ConversationHandle,
    Enquiry,
    EnquiryNote,
    GuestMessage,
    Ticket,
    TicketMessage,
)
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import EnquiryState, TicketSide, TicketState
from pms.rules.message_words import Channel, ConversationState, MessageKind

ENQUIRY: Final = "enquiry/"
"""The prefix of the handle of an enquiry without an address; no email address contains it."""

Handle = tuple[Channel, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationWriter:
    """A writer: the handles, the most certain first, and a stay or an enquiry of theirs."""

    handles: tuple[Handle, ...]
    name: str
    locale: str
    reservation_id: str | None = None
    enquiry_id: str | None = None


def portal_handle(reservation_id: str) -> Handle:
    """Return the handle of a resident in the portal: the reservation they signed in for."""
    return (Channel.PORTAL, reservation_id)


def mail_handle(email: str) -> Handle:
    """Return the handle of a person by mail: the address, trimmed and case-folded."""
    return (Channel.MAIL, email.strip().casefold())


def enquiry_handle(enquiry_id: str) -> Handle:
    """Return the handle of an enquiry without an address, which cannot be written to."""
    return (Channel.MAIL, f"{ENQUIRY}{enquiry_id}")


class Known(NamedTuple):
    """A person's conversation, if there is one, and their handles that no conversation has yet."""

    row: Conversation | None
    new_handles: tuple[Handle, ...]


def known_conversations(session: Session, people: Sequence[ConversationWriter]) -> Sequence[Known]:
    """Return each person's conversation, locked, if there is one; usually in two queries.

    Without a known handle, it is the one that their stay or enquiry began or was linked to
    automatically. One that was linked to the stay by hand may be another person's or a group's, so
    it is not used.
    """
    found = _by_handle(session, {handle for person in people for handle in person.handles})
    first = [
        next((found[handle] for handle in person.handles if handle in found), None)
        for person in people
    ]
    linked = _find_linked_conversations(
        session, [person for person, row in zip(people, first, strict=True) if row is None]
    )
    return [
        Known(
            row or linked.get(person.reservation_id or "") or linked.get(person.enquiry_id or ""),
            tuple(handle for handle in person.handles if handle not in found),
        )
        for person, row in zip(people, first, strict=True)
    ]


def begin_conversation(
    session: Session, person: ConversationWriter, *, channel: Channel, at: datetime
) -> Conversation:
    """Insert a person's conversation; if another transaction did so meanwhile, return that one."""
    row = Conversation(
        id=new_id(),
        name=person.name,
        channel=channel,
        state=ConversationState.OPEN,
        awaits=TicketSide.NOBODY,
        locale=person.locale,
        reservation_id=person.reservation_id,
        enquiry_id=person.enquiry_id,
        last_message_at=at,
        started_at=at,
    )
    try:
        with session.begin_nested():
            session.add(row)
            session.flush()
            session.add_all(_build_handles(row, person.handles, at))
            session.flush()
    except IntegrityError:
        known = known_conversations(session, [person])[0].row
        if known is None:
            raise
        return known
    return row


def add_handles(
    session: Session, row: Conversation, handles: Iterable[Handle], at: datetime
) -> None:
    """Add new handles to a conversation."""
    for handle in _build_handles(row, handles, at):
        try:
            with session.begin_nested():
                session.add(handle)
        except IntegrityError:
            # Another transaction added the handle meanwhile: it stays with that conversation.
            continue


def _build_handles(
    row: Conversation, handles: Iterable[Handle], at: datetime
) -> list[ConversationHandle]:
    return [
        ConversationHandle(
            id=new_id(), conversation_id=row.id, channel=channel, handle=handle, added_at=at
        )
        for channel, handle in handles
    ]


def _by_handle(session: Session, handles: Iterable[Handle]) -> Mapping[Handle, Conversation]:
    wanted = list(handles)
    if not wanted:
        return {}
    by_channel: dict[Channel, list[str]] = {}
    for channel, handle in wanted:
        by_channel.setdefault(channel, []).append(handle)
    is_one_of_handles = or_(
        False,
        *(
            (ConversationHandle.channel == channel) & ConversationHandle.handle.in_(names)
            for channel, names in by_channel.items()
        ),
    )
    rows = session.execute(
        select(ConversationHandle.channel, ConversationHandle.handle, Conversation)
        .join(Conversation, refers_to(ConversationHandle.conversation_id, Conversation))
        .where(is_one_of_handles)
        .order_by(Conversation.id)
        .with_for_update(of=Conversation)
        .execution_options(populate_existing=True)
    )
    # The handle was read before its lock was granted: its conversation may have been merged
    # meanwhile.
    return {
        (channel, handle): lock_ongoing_conversation(session, conversation.id)
        if conversation.merged_into_id
        else conversation
        for channel, handle, conversation in rows.all()
    }


def _find_linked_conversations(
    session: Session, people: Iterable[ConversationWriter]
) -> Mapping[str, Conversation]:
    """Return the newest conversation linked automatically to each stay or enquiry, by their ids."""
    stays = [person.reservation_id for person in people if person.reservation_id]
    enquiries = [person.enquiry_id for person in people if person.enquiry_id]
    if not stays and not enquiries:
        return {}
    rows = session.scalars(
        select(Conversation)
        .where(
            Conversation.merged_into_id.is_(None),
            or_(
                and_(Conversation.linked_by.is_(None), one_of(Conversation.reservation_id, stays)),
                one_of(Conversation.enquiry_id, enquiries),
            ),
        )
        .order_by(Conversation.last_message_at, Conversation.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).all()
    by_stay = {row.reservation_id: row for row in rows if row.reservation_id and not row.linked_by}
    return by_stay | {row.enquiry_id: row for row in rows if row.enquiry_id}


def lock_conversations(session: Session, ids: Sequence[str]) -> dict[str, Conversation]:
    """Return conversations by id, locked in the order of their ids."""
    session.flush()
    rows = session.scalars(
        select(Conversation)
        .where(Conversation.id.in_(sorted(set(ids))))
        .order_by(Conversation.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return {row.id: row for row in rows}


def lock_ongoing_conversation(session: Session, conversation_id: str) -> Conversation:
    """Return a conversation, locked, or the one it was merged into before the lock was granted.

    Messages added to a merged conversation would not be shown.
    """
    row = lock_conversations(session, [conversation_id])[conversation_id]
    while row.merged_into_id is not None:
        row = lock_conversations(session, [row.merged_into_id])[row.merged_into_id]
    return row


def find_next_sides(
    session: Session, conversation_ids: Collection[str]
) -> Mapping[str, TicketSide]:
    """Return whose turn it is in each conversation, in one query.

    It is the staff's while a ticket waits for them, an enquiry is new, or the person's last message
    on a channel is unanswered on every channel; else the person's while a ticket or an enquiry is
    open.
    """
    session.flush()
    rows = session.execute(
        select(
            Conversation.id,
            _has_open_ticket(Ticket.awaits == TicketSide.STAFF),
            _has_matching_enquiry(Enquiry.state == EnquiryState.NEW),
            _has_open_ticket(),
            _has_matching_enquiry(Enquiry.state.in_(OPEN)),
            _of_channels(TicketSide.RESIDENT).scalar_subquery(),
            _of_channels(TicketSide.STAFF).scalar_subquery(),
            _in_tickets().scalar_subquery(),
            _in_enquiries().scalar_subquery(),
        ).where(one_of(Conversation.id, conversation_ids))
    )
    return {row[0]: _decide_turn(*row[1:]) for row in rows}


def _decide_turn(
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
    """Return the reservation in a portal handle; other handles need not be ids."""
    is_stay = ConversationHandle.channel == Channel.PORTAL
    return case((is_stay, cast(ConversationHandle.handle, Id)))


def _has_open_ticket(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return whether the person has an open ticket with these conditions."""
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
    """Return whether an enquiry is the person's: from one of their addresses, or linked."""
    by_itself = func.substr(ConversationHandle.handle, len(ENQUIRY) + 1)
    is_known = exists().where(
        *_has_handle(Channel.MAIL),
        case(
            (ConversationHandle.handle.startswith(ENQUIRY), Enquiry.id == cast(by_itself, Id)),
            else_=ConversationHandle.handle == Enquiry.email_key,
        ),
    )
    return (Enquiry.id == Conversation.enquiry_id) | is_known.correlate(Conversation, Enquiry)


def _has_matching_enquiry(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return (
        exists()
        .where(Enquiry.workspace_id == Conversation.workspace_id, condition, _is_theirs())
        .correlate(Conversation)
    )


def _of_channels(side: TicketSide) -> Select[Any]:
    # By the time of arrival here: a sender's clock may be ahead.
    return (
        select(func.max(GuestMessage.received_at))
        .where(
            refers_to(GuestMessage.conversation_id, Conversation),
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
            refers_to(TicketMessage.ticket_id, Ticket),
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
            refers_to(EnquiryNote.enquiry_id, Enquiry),
            EnquiryNote.is_answer,
        )
        .correlate(Conversation)
    )
