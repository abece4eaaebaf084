"""Whose turn it is in a conversation."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, case, cast, exists, func, select
from sqlalchemy.orm import Session

from pms.foundation.db import Id
from pms.foundation.prepared import one_of
from pms.inbox.conversations import ENQUIRY
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
from pms.rules.message_words import Channel, MessageKind


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
