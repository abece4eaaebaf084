"""Keeps the first answer to a write that names itself, so that a repeat is told the same."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Index, LargeBinary, String, UniqueConstraint, delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.clock import Clock
from pms.foundation.db import Base, Instant
from pms.foundation.ids import new_id
from pms.foundation.tenancy import OfWorkspace

KEPT_FOR: Final = timedelta(hours=24)


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


class NamedWrite(NamedTuple):
    """A write that names itself: who sends it, under which key, and what it says."""

    sender: str
    key: str
    digest: str


class Answered(NamedTuple):
    """An answer given before, and what it was given to."""

    status: int
    body: bytes
    digest: str


class ClaimedMeanwhileError(Exception):
    """Somebody else wrote under the same key a moment ago; what they were answered stands now."""


def answered_before(session: Session, clock: Clock, write: NamedWrite) -> Answered | None:
    """Return the answer that is still kept under the sender's key."""
    asked = select(FirstAnswer.status, FirstAnswer.body, FirstAnswer.digest).where(
        *_under(write), FirstAnswer.at > clock.now() - KEPT_FOR
    )
    found = session.execute(asked).one_or_none()
    return Answered._make(found) if found else None


def claim_answer(session: Session, clock: Clock, write: NamedWrite) -> FirstAnswer:
    """Return the row whose answer is filled in once the write is done; before it is begun.

    Whoever writes under the same key meanwhile waits here until this transaction ends, then
    raises `ClaimedMeanwhileError` if it was committed.
    """
    session.execute(
        delete(FirstAnswer).where(*_under(write), FirstAnswer.at <= clock.now() - KEPT_FOR)
    )
    claimed = FirstAnswer(id=new_id(), **write._asdict(), status=0, body=b"", at=clock.now())
    session.add(claimed)
    try:
        session.flush()
    except IntegrityError as clash:
        raise ClaimedMeanwhileError from clash
    return claimed


def forget_answers(session: Session, clock: Clock) -> None:
    """Delete answers that are kept no longer; the session writes across workspaces."""
    session.execute(delete(FirstAnswer).where(FirstAnswer.at <= clock.now() - KEPT_FOR))


def _under(write: NamedWrite) -> tuple[ColumnElement[bool], ...]:
    return FirstAnswer.sender == write.sender, FirstAnswer.key == write.key
