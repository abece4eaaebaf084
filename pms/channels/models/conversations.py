"""Tables of conversations: one thread a person, whatever channels they write on."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Word
from pms.foundation.search import folded
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.channel_words import Channel, ConversationState, MessageKind, MessageState
from pms.rules.enumerations import TicketSide

_SEARCHED: Final = ("name", "last_words")


class Conversation(OfWorkspace, Base):
    """The thread of one person; one that was merged into another leads there.

    `awaits` says whose turn it is, `channel` where the last words came from, so where an answer
    goes. `reservation_id` is the stay beside it, found by itself or put there by hand: by whom says
    `linked_by`, and then the stay tells nothing of who writes here (a partner, a group). What was
    taken up again by hand, at `reopened_at`, does not end by itself for what ended before. Who is
    named by `locale_by` set the language by hand, and nothing that comes in changes it.
    """

    __tablename__ = "conversation"
    __table_args__ = (
        link("reservation_id", "reservation"),
        link("enquiry_id", "enquiry"),
        link("merged_into_id", "conversation"),
        Index("ix_conversation_state", "workspace_id", "state", "last_message_at", "id"),
        Index("ix_conversation_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_conversation_enquiry_id", "workspace_id", "enquiry_id"),
    )
    derived_from = frozenset(_SEARCHED)

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
        return {"search_text": folded(row, _SEARCHED)}


class ConversationHandle(OfWorkspace, Base):
    """By which name a person is known on a channel: a user id, a number, an address, a booking."""

    __tablename__ = "conversation_handle"
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
    """One message on a channel, in or out; what the channel calls it keeps it single.

    `by` is empty for what came in. Words that were taken back are kept from view.
    """

    __tablename__ = "guest_message"
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
    """Whether these words stand for those of the quoted message, as their writer changed them."""
    sent_at: Mapped[datetime] = mapped_column(Instant)
    received_at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str | None]
    state: Mapped[MessageState] = mapped_column(Word(MessageState))
    failure: Mapped[str | None] = mapped_column(Text)
    media_id: Mapped[str | None]
    media_key: Mapped[str | None]
    media_type: Mapped[str | None]
    media_name: Mapped[str | None]
    media_failure: Mapped[str | None] = mapped_column(Text)
    booking_reference: Mapped[str | None]
    listing: Mapped[str | None]
    taken_back_at: Mapped[datetime | None] = mapped_column(Instant)


class ReplyTemplate(OfWorkspace, Base):
    """Words the office answers with again and again, in both languages."""

    __tablename__ = "reply_template"
    __table_args__ = (UniqueConstraint("workspace_id", "name"),)

    name: Mapped[str]
    text_ja: Mapped[str] = mapped_column(Text)
    text_en: Mapped[str] = mapped_column(Text)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str]
    archived_at: Mapped[datetime | None] = mapped_column(Instant)
    version: Mapped[int] = mapped_column(default=1)
