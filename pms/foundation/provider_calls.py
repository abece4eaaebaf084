"""The queue of calls to providers, written by the transaction that causes them.

The worker makes the calls.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Index, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.clock import Clock
from pms.foundation.db import Base, Id, Instant, Json, only_where
from pms.foundation.tenancy import OfWorkspace
from pms.foundation.work import lease_due, locked

# As with mail: under a lease, at least once, each with an idempotency key for the provider, so that
# a call made twice has its effect once.
LEASE: Final = timedelta(minutes=5)
MOST_ATTEMPTS: Final = 8


class ProviderCall(OfWorkspace, Base):
    """One call; `done_at` or `given_up_at` ends it, and a lease reserves it for one worker.

    `kind` names the function that makes it, `subject_id` the row it is about; its own id is sent to
    the provider as the idempotency key.
    """

    __tablename__ = "provider_call"
    noun = "call"
    __table_args__ = (
        Index("ix_provider_call_due_at", "due_at"),
        Index("ix_provider_call_subject_id", "workspace_id", "subject_id"),
        Index(
            "ix_provider_call_given_up_at",
            "workspace_id",
            "given_up_at",
            **only_where("given_up_at IS NOT NULL"),
        ),
    )

    kind: Mapped[str]
    subject_id: Mapped[str] = mapped_column(Id)
    facts: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    written_at: Mapped[datetime] = mapped_column(Instant)
    due_at: Mapped[datetime | None] = mapped_column(Instant)
    attempts: Mapped[int] = mapped_column(default=0)
    failure: Mapped[str | None] = mapped_column(Text)
    done_at: Mapped[datetime | None] = mapped_column(Instant)
    given_up_at: Mapped[datetime | None] = mapped_column(Instant)


def put_call(
    session: Session,
    clock: Clock,
    *,
    kind: str,
    subject_id: str,
    facts: dict[str, Any] | None = None,
    wait: timedelta = timedelta(),
) -> ProviderCall:
    """Queue a call, made once this transaction commits, or after a wait."""
    call = ProviderCall(
        kind=kind,
        subject_id=subject_id,
        facts=facts or {},
        written_at=clock.now(),
        due_at=clock.now() + wait,
    )
    session.add(call)
    return call


def lease_calls(session: Session, clock: Clock, most: int = 1) -> list[ProviderCall]:
    """Lease up to `most` due calls for this worker; unfinished ones are due again after the lease.

    The lease is longer than one call may take, so calls are leased one by one.
    """
    return lease_due(session, clock, ProviderCall, most, LEASE)


def mark_done(call: ProviderCall, clock: Clock) -> None:
    """Record that the provider accepted the call."""
    call.done_at, call.due_at, call.failure = clock.now(), None, None


def put_off_call(call: ProviderCall, clock: Clock, wait: timedelta, facts: dict[str, Any]) -> None:
    """Repeat a successful call after a wait."""
    call.due_at, call.failure, call.attempts = clock.now() + wait, None, 0
    call.facts = facts


def mark_call_failed(
    call: ProviderCall, clock: Clock, failure: str, *, for_good: bool = False
) -> None:
    """Record a failed attempt; each retry waits longer, and the last failure gives the call up."""
    call.failure = failure
    if for_good or call.attempts >= MOST_ATTEMPTS:
        call.due_at, call.given_up_at = None, clock.now()
    else:
        call.due_at = clock.now() + timedelta(seconds=15 * 2**call.attempts)


class TroubledCall(NamedTuple):
    """A call that failed: it will be retried, or was given up."""

    id: str
    kind: str
    subject_id: str
    failure: str
    attempts: int
    written_at: datetime
    due_at: datetime | None
    is_given_up: bool


def troubled_calls(session: Session, most: int = 50) -> Sequence[TroubledCall]:
    """Return the workspace's calls that failed and are not done, newest first."""
    asked = (
        select(ProviderCall)
        .where(ProviderCall.failure.is_not(None), ProviderCall.done_at.is_(None))
        .order_by(ProviderCall.written_at.desc(), ProviderCall.id.desc())
        .limit(most)
    )
    return [
        TroubledCall(
            call.id,
            call.kind,
            call.subject_id,
            call.failure or "",
            call.attempts,
            call.written_at,
            call.due_at,
            call.given_up_at is not None,
        )
        for call in session.scalars(asked)
    ]


def make_call_again(session: Session, clock: Clock, call_id: str) -> None:
    """Retry a call that was given up at once; any other call is left unchanged."""
    call = locked(session, ProviderCall, call_id)
    if call.given_up_at is not None:
        # `failure` stays set: it makes the next try check first whether an earlier one arrived.
        call.due_at, call.given_up_at, call.attempts = clock.now(), None, 0
    session.flush()
