"""Tables of what people write: enquiries, tickets, and the conversations that join them."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import CheckConstraint, Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import through
from pms.foundation.db import Base, Id, Instant, Word, only_where
from pms.foundation.files import HAS_FILES
from pms.foundation.lists import fold_columns
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.addresses import telephone_key
from pms.rules.enumerations import EnquirySource, EnquiryState, TicketSide, TicketState, TicketStep
from pms.rules.message_words import (
    Channel,
    ConversationState,
    MessageKind,
    MessageState,
)

_OF_ENQUIRY: Final = ("name", "email", "phone", "message")
_OF_CONVERSATION: Final = ("name", "last_words")


class Enquiry(OfWorkspace, Base):
    """A question about a unit or moving in; `duplicate_of_id` is an earlier one of the person."""

    __tablename__ = "enquiry"
    building_path = through("building_id", "unit_id")
    noun = "enquiry"
    __table_args__ = (
        link("unit_id", "unit", ondelete="CASCADE"),
        link("building_id", "building", ondelete="CASCADE"),
        link("duplicate_of_id", "enquiry"),
        UniqueConstraint("workspace_id", "external_id"),
        Index("ix_enquiry_state", "workspace_id", "state", "received_at", "id"),
        Index("ix_enquiry_email_key", "workspace_id", "email_key"),
        Index("ix_enquiry_phone_key", "workspace_id", "phone_key"),
        Index("ix_enquiry_unit_id", "workspace_id", "unit_id"),
    )

    derived_from = frozenset(_OF_ENQUIRY)

    source: Mapped[EnquirySource] = mapped_column(Word(EnquirySource))
    name: Mapped[str]
    email: Mapped[str | None]
    email_key: Mapped[str | None]
    phone: Mapped[str | None]
    phone_key: Mapped[str | None]
    message: Mapped[str] = mapped_column(Text, default="")
    unit_id: Mapped[str | None] = mapped_column(Id)
    building_id: Mapped[str | None] = mapped_column(Id)
    move_in_on: Mapped[date | None] = mapped_column(Date)
    locale: Mapped[str] = mapped_column(default="ja")
    state: Mapped[EnquiryState] = mapped_column(Word(EnquiryState))
    assignee_id: Mapped[str | None] = mapped_column(Id)
    duplicate_of_id: Mapped[str | None] = mapped_column(Id)
    external_id: Mapped[str | None]
    received_at: Mapped[datetime] = mapped_column(Instant)
    received_by: Mapped[str]
    answered_at: Mapped[datetime | None] = mapped_column(Instant)
    changed_at: Mapped[datetime] = mapped_column(Instant)
    changed_by: Mapped[str]
    search_text: Mapped[str] = mapped_column(Text, default="")
    version: Mapped[int] = mapped_column(default=1)

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        email = row.get("email")
        return {
            "email_key": email.strip().casefold() if email else None,
            "phone_key": telephone_key(row.get("phone")),
            "search_text": fold_columns(row, _OF_ENQUIRY),
        }


class EnquiryNote(OfWorkspace, Base):
    """An answer to an enquiry or a note about it; `mail_id` is the mail of an answer."""

    __tablename__ = "enquiry_note"
    building_path = through("enquiry_id")
    __table_args__ = (
        link("enquiry_id", "enquiry", ondelete="CASCADE"),
        Index("ix_enquiry_note_enquiry_id", "workspace_id", "enquiry_id", "at"),
    )

    enquiry_id: Mapped[str] = mapped_column(Id)
    is_answer: Mapped[bool]
    text: Mapped[str] = mapped_column(Text)
    mail_id: Mapped[str | None] = mapped_column(Id)
    at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str]


class Ticket(OfWorkspace, Base):
    """A resident's conversation about one matter; `awaits` says whose turn it is."""

    __tablename__ = "ticket"
    building_path = through("reservation_id")
    noun = "conversation"
    __table_args__ = (
        link("reservation_id", "reservation"),
        link("request_id", "maintenance_request"),
        link("project_id", "maintenance_project"),
        Index("ix_ticket_state", "workspace_id", "state", "last_message_at", "id"),
        Index("ix_ticket_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_ticket_request_id", "workspace_id", "request_id"),
        Index("ix_ticket_project_id", "workspace_id", "project_id"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    request_id: Mapped[str | None] = mapped_column(Id)
    project_id: Mapped[str | None] = mapped_column(Id)
    subject: Mapped[str]
    state: Mapped[TicketState] = mapped_column(Word(TicketState), default=TicketState.OPEN)
    awaits: Mapped[TicketSide] = mapped_column(Word(TicketSide), default=TicketSide.STAFF)
    opened_at: Mapped[datetime] = mapped_column(Instant)
    opened_by: Mapped[str]
    last_message_at: Mapped[datetime] = mapped_column(Instant)
    closed_at: Mapped[datetime | None] = mapped_column(Instant)
    closed_by: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)


class TicketMessage(OfWorkspace, Base):
    """A person's message, or a step of the work, which is shown in the reader's own language."""

    __tablename__ = "ticket_message"
    building_path = through("ticket_id")
    __table_args__ = (
        link("ticket_id", "ticket", ondelete="CASCADE"),
        CheckConstraint("(text IS NULL) <> (step IS NULL)", name="words_or_step"),
        Index("ix_ticket_message_ticket_id", "workspace_id", "ticket_id", "at"),
    )

    ticket_id: Mapped[str] = mapped_column(Id)
    side: Mapped[TicketSide] = mapped_column(Word(TicketSide))
    text: Mapped[str | None] = mapped_column(Text)
    step: Mapped[TicketStep | None] = mapped_column(Word(TicketStep))
    step_on: Mapped[date | None] = mapped_column(Date)
    at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str]


class Conversation(OfWorkspace, Base):
    """The conversation of one person; a merged one refers to the one it was merged into.

    `awaits` says whose turn it is; `channel` is that of the person's last message, to which answers
    go. `reservation_id` is the linked stay, found automatically or linked by hand by `linked_by`; a
    stay linked by hand does not say who writes (a partner, a group). A conversation reopened by
    hand, at `reopened_at`, is not closed automatically for what ended before. If `locale_by` has
    set the language by hand, incoming messages do not change it.
    """

    __tablename__ = "conversation"
    building_path = through("reservation_id", "enquiry_id")
    __table_args__ = (
        link("reservation_id", "reservation"),
        link("enquiry_id", "enquiry"),
        link("merged_into_id", "conversation"),
        Index("ix_conversation_state", "workspace_id", "state", "last_message_at", "id"),
        Index(
            "ix_conversation_waiting",
            "workspace_id",
            "last_message_at",
            **only_where(
                "state = 'open' AND merged_into_id IS NULL AND (awaits = 'staff' OR has_failure)"
            ),
        ),
        Index("ix_conversation_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_conversation_enquiry_id", "workspace_id", "enquiry_id"),
    )
    derived_from = frozenset(_OF_CONVERSATION)

    name: Mapped[str]
    channel: Mapped[Channel] = mapped_column(Word(Channel))
    state: Mapped[ConversationState] = mapped_column(Word(ConversationState))
    awaits: Mapped[TicketSide] = mapped_column(Word(TicketSide))
    locale: Mapped[str] = mapped_column(default="ja")
    locale_by: Mapped[str | None]
    reservation_id: Mapped[str | None] = mapped_column(Id)
    linked_by: Mapped[str | None]
    enquiry_id: Mapped[str | None] = mapped_column(Id)
    assignee_id: Mapped[str | None] = mapped_column(Id)
    merged_into_id: Mapped[str | None] = mapped_column(Id)
    has_failure: Mapped[bool] = mapped_column(default=False)
    last_words: Mapped[str] = mapped_column(Text, default="")
    last_message_at: Mapped[datetime] = mapped_column(Instant)
    started_at: Mapped[datetime] = mapped_column(Instant)
    closed_at: Mapped[datetime | None] = mapped_column(Instant)
    closed_by: Mapped[str | None]
    reopened_at: Mapped[datetime | None] = mapped_column(Instant)
    search_text: Mapped[str] = mapped_column(Text, default="")
    version: Mapped[int] = mapped_column(default=1)

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        return {"search_text": fold_columns(row, _OF_CONVERSATION)}


class ConversationHandle(OfWorkspace, Base):
    """A name by which a person is known on a channel: user id, number, address or booking."""

    __tablename__ = "conversation_handle"
    building_path = through("conversation_id")
    __table_args__ = (
        link("conversation_id", "conversation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "channel", "handle"),
        Index("ix_conversation_handle_conversation_id", "workspace_id", "conversation_id"),
    )

    conversation_id: Mapped[str] = mapped_column(Id)
    channel: Mapped[Channel] = mapped_column(Word(Channel))
    handle: Mapped[str]
    name: Mapped[str | None]
    added_at: Mapped[datetime] = mapped_column(Instant)
    is_blocked: Mapped[bool] = mapped_column(default=False)


class GuestMessage(OfWorkspace, Base):
    """One message on a channel, in or out; the channel's own id prevents duplicates.

    `by` is empty for incoming messages. Unsent messages are not shown.
    """

    __tablename__ = "guest_message"
    building_path = through("conversation_id")
    noun = "message"
    __table_args__ = (
        link("conversation_id", "conversation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "channel", "external_id"),
        Index("ix_guest_message_conversation_id", "workspace_id", "conversation_id", "sent_at"),
    )

    conversation_id: Mapped[str] = mapped_column(Id)
    channel: Mapped[Channel] = mapped_column(Word(Channel))
    handle: Mapped[str | None]
    external_id: Mapped[str | None]
    side: Mapped[TicketSide] = mapped_column(Word(TicketSide))
    kind: Mapped[MessageKind] = mapped_column(Word(MessageKind))
    text: Mapped[str] = mapped_column(Text, default="")
    quoted_id: Mapped[str | None]
    is_edit: Mapped[bool] = mapped_column(default=False)
    """Whether this text replaces that of the quoted message, which its writer edited."""
    sent_at: Mapped[datetime] = mapped_column(Instant)
    received_at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str | None]
    state: Mapped[MessageState] = mapped_column(Word(MessageState))
    failure: Mapped[str | None] = mapped_column(Text)
    media_id: Mapped[str | None]
    media_key: Mapped[str | None] = mapped_column(info=HAS_FILES)
    media_type: Mapped[str | None]
    media_name: Mapped[str | None]
    media_failure: Mapped[str | None] = mapped_column(Text)
    booking_reference: Mapped[str | None]
    listing: Mapped[str | None]
    taken_back_at: Mapped[datetime | None] = mapped_column(Instant)
