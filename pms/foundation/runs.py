"""The progress of long work, as a row that a person or a screen can follow."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Instant, Json
from pms.foundation.tenancy import OfWorkspace


class Run(OfWorkspace, Base):
    """One piece of long work: `subject` is what it is about, once a `number` of tries.

    Started again after it was killed, it goes on where its own idempotent steps left off.
    """

    __tablename__ = "run"
    __table_args__ = (
        UniqueConstraint("workspace_id", "kind", "subject", "number"),
        Index("ix_run_started_at", "workspace_id", "started_at"),
    )

    kind: Mapped[str]
    subject: Mapped[str]
    number: Mapped[int] = mapped_column(default=1)
    total: Mapped[int] = mapped_column(default=0)
    done: Mapped[int] = mapped_column(default=0)
    problems: Mapped[int] = mapped_column(default=0)
    result: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    started_by: Mapped[str]
    started_at: Mapped[datetime] = mapped_column(Instant)
    moved_at: Mapped[datetime] = mapped_column(Instant)
    finished_at: Mapped[datetime | None] = mapped_column(Instant)
    failure: Mapped[str | None] = mapped_column(Text)
