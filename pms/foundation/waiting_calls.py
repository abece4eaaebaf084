"""Questions about calls to providers: what waits, what failed, and having one made again."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.provider_calls import ProviderCall


class TroubledCall(NamedTuple):
    """A call that failed: it is tried again by itself, or was given up."""

    id: str
    kind: str
    subject_id: str
    failure: str
    attempts: int
    written_at: datetime
    due_at: datetime | None
    is_given_up: bool


def troubled_calls(session: Session, most: int = 50) -> Sequence[TroubledCall]:
    """Return the calls of the workspace that failed and are not done, the newest first."""
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
    """Have a call that was given up made at once; one that is done or waits stays as it is."""
    asked = select(ProviderCall).where(ProviderCall.id == call_id).with_for_update()
    call = session.scalar(asked) if is_id(call_id) else None
    if call is None:
        raise NotFound("There is no call '{call_id}'.", call_id=call_id[:60])
    if call.given_up_at is not None:
        # Its failure stays: whoever makes it looks first whether an earlier try arrived.
        call.due_at, call.given_up_at, call.attempts = clock.now(), None, 0
    session.flush()
