"""Keeps the first answer to a write that names itself, so that a repeat is told the same."""

from datetime import datetime

from sqlalchemy import Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Instant
from pms.foundation.tenancy import OfWorkspace


class FirstAnswer(OfWorkspace, Base):
    """What was answered first under a sender's key; kept in the transaction of what it caused."""

    __tablename__ = "first_answer"
    __table_args__ = (
        UniqueConstraint("workspace_id", "sender", "key"),
        Index("ix_first_answer_at", "at"),
    )

    sender: Mapped[str] = mapped_column(String)
    key: Mapped[str] = mapped_column(String)
    digest: Mapped[str] = mapped_column(String)
    status: Mapped[int]
    body: Mapped[bytes] = mapped_column(LargeBinary)
    at: Mapped[datetime] = mapped_column(Instant)
