"""Tables of the site's assistant: how it is set, and what was asked and answered."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Exact, Id, Instant, Json, Word
from pms.foundation.search import folded
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.channel_words import AnsweredBy


class AssistantSettings(OfWorkspace, Base):
    """What the assistant may cost; one row a workspace, whose id is the workspace's.

    Prices are yen for a thousand tokens, `ceiling_yen` is for one key and one day in Japan.
    """

    __tablename__ = "assistant_settings"
    __table_args__ = (UniqueConstraint("workspace_id"),)

    is_on: Mapped[bool] = mapped_column(default=True)
    uses_model: Mapped[bool] = mapped_column(default=False)
    price_in_yen: Mapped[Decimal] = mapped_column(Exact)
    price_out_yen: Mapped[Decimal] = mapped_column(Exact)
    ceiling_yen: Mapped[int]
    most_messages: Mapped[int]
    greeting_ja: Mapped[str] = mapped_column(Text, default="")
    greeting_en: Mapped[str] = mapped_column(Text, default="")
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str]
    version: Mapped[int] = mapped_column(default=1)


class ChatConversation(OfWorkspace, Base):
    """What one visitor and the assistant said, begun through one key.

    What the staff tries has no key.
    """

    __tablename__ = "chat_conversation"
    __table_args__ = (
        link("key_id", "api_key"),
        Index("ix_chat_conversation_last_at", "workspace_id", "last_at", "id"),
        Index("ix_chat_conversation_key_id", "workspace_id", "key_id"),
    )

    key_id: Mapped[str | None] = mapped_column(Id)
    locale: Mapped[str] = mapped_column(default="ja")
    started_at: Mapped[datetime] = mapped_column(Instant)
    last_at: Mapped[datetime] = mapped_column(Instant)
    turns: Mapped[int] = mapped_column(default=0)


class ChatTurn(OfWorkspace, Base):
    """One question and its answer; the cost is in thousandths of a yen.

    While a model is asked, the row holds what that may cost at most.
    """

    __tablename__ = "chat_turn"
    __table_args__ = (
        link("conversation_id", "chat_conversation", ondelete="CASCADE"),
        link("key_id", "api_key"),
        Index("ix_chat_turn_conversation_id", "workspace_id", "conversation_id", "at"),
        Index("ix_chat_turn_key_id", "workspace_id", "key_id", "day_on"),
        Index("ix_chat_turn_day_on", "workspace_id", "day_on"),
    )
    derived_from = frozenset({"question", "reply"})

    conversation_id: Mapped[str] = mapped_column(Id)
    key_id: Mapped[str | None] = mapped_column(Id)
    day_on: Mapped[date] = mapped_column(Date)
    at: Mapped[datetime] = mapped_column(Instant)
    question: Mapped[str] = mapped_column(Text)
    reply: Mapped[str] = mapped_column(Text)
    sources: Mapped[list[dict[str, Any]]] = mapped_column(Json, default=list)
    answered_by: Mapped[AnsweredBy] = mapped_column(Word(AnsweredBy))
    failure: Mapped[str | None] = mapped_column(Text)
    tokens_in: Mapped[int] = mapped_column(default=0)
    tokens_out: Mapped[int] = mapped_column(default=0)
    cost_thousandths: Mapped[int] = mapped_column(default=0)
    search_text: Mapped[str] = mapped_column(Text, default="")

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        return {"search_text": folded(row, ("question", "reply"))}
