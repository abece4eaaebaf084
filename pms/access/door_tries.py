"""Counts tries at a door, so that guessing is slow, across processes and restarts."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.access.models import DoorTries
from pms.foundation.clock import Clock
from pms.foundation.tokens import token_hash
from pms.rules.request_budget import Slowing, Tries, wait_left, with_one_more


class Subject(NamedTuple):
    """Who or what is counted, for what, and how it is slowed down."""

    purpose: str
    who: str
    slowing: Slowing

    @property
    def hash(self) -> str:
        return token_hash(f"{self.purpose}\x1f{self.who}")


def count_try(session: Session, clock: Clock, subjects: Sequence[Subject]) -> timedelta:
    """Count a try of all subjects; return how long to wait when it may not be made.

    A try that has to wait is not counted: hammering a door does not keep its owner out longer.
    """
    now = clock.now()
    rows = {subject.hash: _lock_tries(session, subject.hash, now) for subject in subjects}
    known = [(subject, _tries(rows[subject.hash])) for subject in subjects]
    wait = max((wait_left(s.slowing, tries, now) for s, tries in known), default=timedelta(0))
    if not wait:
        for subject, tries in known:
            more = with_one_more(subject.slowing, tries, now)
            rows[subject.hash].count, rows[subject.hash].last_at = more.count, more.last_at
        session.flush()
    return wait


def has_to_wait(session: Session, clock: Clock, subject: Subject) -> bool:
    """Tell whether the next try of somebody will be refused, as things stand now."""
    row = session.get(DoorTries, subject.hash)
    return row is not None and bool(wait_left(subject.slowing, _tries(row), clock.now()))


def has_tried(session: Session, subject: Subject) -> bool:
    """Tell whether tries of somebody are remembered."""
    row = session.get(DoorTries, subject.hash)
    return row is not None and row.count > 0


def forgive(session: Session, subject: Subject, *, tries: int | None = None) -> None:
    """Forget the tries of someone who turned out to be right, or only so many of them."""
    row = session.get(DoorTries, subject.hash, with_for_update=True)
    if row is not None:
        row.count = 0 if tries is None else max(row.count - tries, 0)
        session.flush()


def forget_tries(session: Session, before: datetime) -> None:
    """Delete what was counted so long ago that it slows nobody down."""
    session.execute(delete(DoorTries).where(DoorTries.last_at < before))


def _lock_tries(session: Session, hash_: str, now: datetime) -> DoorTries:
    wanted = (
        select(DoorTries)
        .where(DoorTries.subject_hash == hash_)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    row = session.scalars(wanted).first()
    if row is None:
        try:
            with session.begin_nested():
                session.add(DoorTries(subject_hash=hash_, count=0, last_at=now))
        except IntegrityError:  # somebody else tried for the first time at the same moment
            pass
        row = session.scalars(wanted).one()
    return row


def _tries(row: DoorTries) -> Tries | None:
    return Tries(row.count, row.last_at) if row.count else None
