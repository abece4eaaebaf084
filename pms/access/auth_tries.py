"""Counts tries to get in across processes and restarts, so that guessing is slow."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.access.models import AuthTries
from pms.foundation.clock import Clock
from pms.foundation.tokens import token_hash
from pms.rules.request_budget import Slowing, Tries, remaining_wait, with_one_more


class Subject(NamedTuple):
    """What is counted (an account, a network), for which way in, and how tries are slowed down."""

    purpose: str
    who: str
    slowing: Slowing

    @property
    def hash(self) -> str:
        return token_hash(f"{self.purpose}\x1f{self.who}")


def count_try(session: Session, clock: Clock, subjects: Sequence[Subject]) -> timedelta:
    """Count a try for all subjects; return how long to wait when it is refused.

    A refused try is not counted: repeated tries do not keep the owner out longer.
    """
    now = clock.now()
    rows = {subject.hash: _lock_tries(session, subject.hash, now) for subject in subjects}
    known = [(subject, _tries_of_row(rows[subject.hash])) for subject in subjects]
    wait = max((remaining_wait(s.slowing, tries, now) for s, tries in known), default=timedelta(0))
    if not wait:
        for subject, tries in known:
            more = with_one_more(subject.slowing, tries, now)
            rows[subject.hash].count, rows[subject.hash].last_at = more.count, more.last_at
        session.flush()
    return wait


def has_to_wait(session: Session, clock: Clock, subject: Subject) -> bool:
    """Whether the next try of this subject would be refused now."""
    row = session.get(AuthTries, subject.hash)
    return row is not None and bool(
        remaining_wait(subject.slowing, _tries_of_row(row), clock.now())
    )


def is_over_allowance(session: Session, subject: Subject) -> bool:
    """Whether more tries of this subject are counted than are free at once."""
    row = session.get(AuthTries, subject.hash)
    return row is not None and row.count > subject.slowing.free_tries


def has_tried(session: Session, subject: Subject) -> bool:
    """Whether tries of this subject are counted."""
    row = session.get(AuthTries, subject.hash)
    return row is not None and row.count > 0


def forgive(session: Session, subject: Subject, *, tries: int | None = None) -> None:
    """Reset the subject's count after a successful try, or reduce it by `tries`."""
    row = session.get(AuthTries, subject.hash, with_for_update=True)
    if row is not None:
        row.count = 0 if tries is None else max(row.count - tries, 0)
        session.flush()


def forget_tries(session: Session, before: datetime) -> None:
    """Delete counts so old that they no longer delay a try."""
    session.execute(delete(AuthTries).where(AuthTries.last_at < before))


def _lock_tries(session: Session, hash_: str, now: datetime) -> AuthTries:
    wanted = (
        select(AuthTries)
        .where(AuthTries.subject_hash == hash_)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    row = session.scalars(wanted).first()
    if row is None:
        try:
            with session.begin_nested():
                session.add(AuthTries(subject_hash=hash_, count=0, last_at=now))
        except IntegrityError:  # a concurrent first try inserted the row
            pass
        row = session.scalars(wanted).one()
    return row


def _tries_of_row(row: AuthTries) -> Tries | None:
    return Tries(row.count, row.last_at) if row.count else None
