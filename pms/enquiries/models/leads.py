"""Tables of leads: people who apply for a position or offer to work with the operator."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Word
from pms.foundation.search import folded
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.channel_words import LeadState

_SEARCHED: Final = ("name", "email", "phone", "message")


class Lead(OfWorkspace, Base):
    """Somebody who applies; the résumé is a private file, and goes when the lead is forgotten."""

    __tablename__ = "lead"
    __table_args__ = (
        link("position_id", "position"),
        UniqueConstraint("workspace_id", "external_id"),
        Index("ix_lead_state", "workspace_id", "state", "received_at", "id"),
        Index("ix_lead_position_id", "workspace_id", "position_id"),
        Index("ix_lead_email_key", "workspace_id", "email_key"),
        Index("ix_lead_declined_at", "workspace_id", "declined_at"),
    )
    derived_from = frozenset(_SEARCHED)

    name: Mapped[str]
    email: Mapped[str]
    email_key: Mapped[str]
    phone: Mapped[str | None]
    message: Mapped[str] = mapped_column(Text, default="")
    locale: Mapped[str] = mapped_column(default="ja")
    position_id: Mapped[str | None] = mapped_column(Id)
    resume_key: Mapped[str | None]
    resume_name: Mapped[str | None]
    resume_type: Mapped[str | None]
    state: Mapped[LeadState] = mapped_column(Word(LeadState))
    assignee_id: Mapped[str | None] = mapped_column(Id)
    external_id: Mapped[str | None]
    declined_at: Mapped[datetime | None] = mapped_column(Instant)
    received_at: Mapped[datetime] = mapped_column(Instant)
    received_by: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(Instant)
    changed_by: Mapped[str]
    search_text: Mapped[str] = mapped_column(Text, default="")
    version: Mapped[int] = mapped_column(default=1)

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        email = row.get("email") or ""
        return {"email_key": email.strip().casefold(), "search_text": folded(row, _SEARCHED)}


class LeadNote(OfWorkspace, Base):
    """What was answered to a lead or noted about it; `mail_id` is the mail an answer is."""

    __tablename__ = "lead_note"
    __table_args__ = (
        link("lead_id", "lead", ondelete="CASCADE"),
        Index("ix_lead_note_lead_id", "workspace_id", "lead_id", "at"),
    )

    lead_id: Mapped[str] = mapped_column(Id)
    is_answer: Mapped[bool]
    text: Mapped[str] = mapped_column(Text)
    mail_id: Mapped[str | None] = mapped_column(Id)
    at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str]
