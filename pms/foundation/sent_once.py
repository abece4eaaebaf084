"""Remembers idempotency keys, so that a tap sent again after a lost response has no effect."""

from datetime import datetime, timedelta

from sqlalchemy import Index, String, UniqueConstraint, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.clock import Clock
from pms.foundation.db import Base, Instant, insert_new
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.tenancy import OfWorkspace

LONGEST_KEY = 100


class SentOnce(OfWorkspace, Base):
    """The idempotency key of one tap, stored in the transaction of its effect."""

    __tablename__ = "sent_once"
    __table_args__ = (
        UniqueConstraint("workspace_id", "sender", "key"),
        Index("ix_sent_once_at", "workspace_id", "at"),
    )

    sender: Mapped[str] = mapped_column(String)
    key: Mapped[str] = mapped_column(String)
    at: Mapped[datetime] = mapped_column(Instant)


def is_new(session: Session, clock: Clock, sender: str, key: str | None) -> bool:
    """Whether a sender's key is new; a new key is stored.

    Without a key the result is always true. A rollback also removes the key.
    """
    if not key:
        return True
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise Refused("Idempotency-Key: at most {most} printable characters.", most=LONGEST_KEY)
    id_ = new_id()
    insert_new(session, SentOnce, [{"id": id_, "sender": sender, "key": key, "at": clock.now()}])
    return session.scalar(select(SentOnce.id).where(SentOnce.id == id_)) is not None


def forget_sent(session: Session, clock: Clock, older_than: timedelta) -> None:
    """Delete keys that arrived longer ago; the session writes across workspaces."""
    session.execute(delete(SentOnce).where(SentOnce.at < clock.now() - older_than))
