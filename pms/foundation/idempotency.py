"""Idempotency keys: a write that is sent again has no second effect and gets the first response."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Index, LargeBinary, String, UniqueConstraint, delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.building_paths import shared
from pms.foundation.clock import Clock
from pms.foundation.db import Base, Instant, insert_new
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.tenancy import OfWorkspace

KEPT_FOR: Final = timedelta(hours=24)


class FirstAnswer(OfWorkspace, Base):
    """The first response under a sender's key, stored in the transaction of the write itself."""

    __tablename__ = "first_answer"
    building_path = shared("found by a key of the sender alone")
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


class NamedWrite(NamedTuple):
    """A write with an idempotency key: its sender, its key, and a digest of its content."""

    sender: str
    key: str
    digest: str


class EarlierResponse(NamedTuple):
    """An earlier response, and the request it answered."""

    status: int
    body: bytes
    digest: str


class ClaimedMeanwhileError(Exception):
    """Another request wrote under the same key a moment ago; its response now applies."""


def answered_before(session: Session, clock: Clock, write: NamedWrite) -> EarlierResponse | None:
    """Return the stored response for the sender's key, if there is one."""
    asked = select(FirstAnswer.status, FirstAnswer.body, FirstAnswer.digest).where(
        *_conditions_of_write(write), FirstAnswer.at > clock.now() - KEPT_FOR
    )
    found = session.execute(asked).one_or_none()
    return EarlierResponse._make(found) if found else None


def claim_answer(session: Session, clock: Clock, write: NamedWrite) -> FirstAnswer:
    """Insert and return the row for the response, before the write begins.

    A concurrent write under the same key waits here until this transaction ends, then raises
    `ClaimedMeanwhileError` if it was committed.
    """
    session.execute(
        delete(FirstAnswer).where(
            *_conditions_of_write(write), FirstAnswer.at <= clock.now() - KEPT_FOR
        )
    )
    claimed = FirstAnswer(id=new_id(), **write._asdict(), status=0, body=b"", at=clock.now())
    session.add(claimed)
    try:
        session.flush()
    except IntegrityError as clash:
        raise ClaimedMeanwhileError from clash
    return claimed


def forget_answers(session: Session, clock: Clock) -> None:
    """Delete expired responses; the session writes across workspaces."""
    session.execute(delete(FirstAnswer).where(FirstAnswer.at <= clock.now() - KEPT_FOR))


def _conditions_of_write(write: NamedWrite) -> tuple[ColumnElement[bool], ...]:
    return FirstAnswer.sender == write.sender, FirstAnswer.key == write.key


LONGEST_KEY = 100


class SentOnce(OfWorkspace, Base):
    """The idempotency key of one tap, stored in the transaction of its effect."""

    __tablename__ = "sent_once"
    building_path = shared("found by a key of the sender alone")
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
