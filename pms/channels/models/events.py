"""Table of inbound events: stored as they came before anything is done with them."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Json, Word, only_where
from pms.foundation.tenancy import OfWorkspace
from pms.rules.channel_words import InboundState, WebhookSource


class InboundEvent(OfWorkspace, Base):
    """One event of a source, once however often it is delivered: `event_key` is the source's own.

    `due_at` is when it is taken up next and ends with it; while a worker has it, it is a lease.
    """

    __tablename__ = "inbound_event"
    __table_args__ = (
        UniqueConstraint("workspace_id", "source", "event_key"),
        Index("ix_inbound_event_due_at", "due_at", **only_where("due_at IS NOT NULL")),
        Index("ix_inbound_event_received_at", "workspace_id", "source", "received_at", "id"),
        Index("ix_inbound_event_state", "workspace_id", "state", "received_at"),
        Index("ix_inbound_event_subject_id", "workspace_id", "subject_id"),
    )

    source: Mapped[WebhookSource] = mapped_column(Word(WebhookSource))
    event_key: Mapped[str]
    kind: Mapped[str]
    body: Mapped[dict[str, Any]] = mapped_column(Json)
    key_id: Mapped[str | None] = mapped_column(Id)
    occurred_at: Mapped[datetime | None] = mapped_column(Instant)
    received_at: Mapped[datetime] = mapped_column(Instant)
    state: Mapped[InboundState] = mapped_column(Word(InboundState))
    due_at: Mapped[datetime | None] = mapped_column(Instant)
    attempts: Mapped[int] = mapped_column(default=0)
    failure: Mapped[str | None] = mapped_column(Text)
    ended_at: Mapped[datetime | None] = mapped_column(Instant)
    ended_by: Mapped[str | None]
    subject_kind: Mapped[str | None]
    subject_id: Mapped[str | None] = mapped_column(Id)
