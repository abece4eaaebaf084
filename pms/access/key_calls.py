"""The last calls of an API key, and how many it made in each hour."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Final, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKeyCall, ApiKeyHour
from pms.foundation.db import insert_new
from pms.foundation.last_calls import KEPT, LastCall
from pms.foundation.prepared import one_of


class KeyCall(NamedTuple):
    """One call of a key; the path is the route's pattern."""

    at: datetime
    method: str
    path: str
    status: int
    milliseconds: int

    @property
    def is_refused(self) -> bool:
        return self.status >= HTTPStatus.BAD_REQUEST


def key_calls(session: Session, key_id: str) -> Sequence[KeyCall]:
    """Return the last calls of a key of the workspace, newest first."""
    call = ApiKeyCall
    rows = session.execute(
        select(call.at, call.method, call.path, call.status, call.milliseconds)
        .where(call.key_id == key_id)
        .order_by(call.at.desc(), call.id.desc())
        .limit(KEPT)
    )
    return [KeyCall(*row) for row in rows]


def noted_calls(session: Session, call_ids: Sequence[str]) -> frozenset[str]:
    """Return which of these calls are stored already, in any workspace."""
    return frozenset(session.scalars(select(ApiKeyCall.id).where(one_of(ApiKeyCall.id, call_ids))))


_NEWEST_FIRST: Final = (ApiKeyCall.at.desc(), ApiKeyCall.id.desc())


def note_key_calls(session: Session, key_id: str, calls: Sequence[LastCall]) -> None:
    """Store the calls of a key that are new, and delete those that are too old."""
    known = set(session.scalars(select(ApiKeyCall.id).where(ApiKeyCall.key_id == key_id)))
    new = [call._asdict() | {"key_id": key_id} for call in calls if call.id not in known]
    if not new:
        return
    insert_new(session, ApiKeyCall, new)
    old = session.scalars(
        select(ApiKeyCall.id)
        .where(ApiKeyCall.key_id == key_id)
        .order_by(*_NEWEST_FIRST)
        .offset(KEPT)
    ).all()
    if old:
        session.execute(
            delete(ApiKeyCall)
            .where(one_of(ApiKeyCall.id, old))
            .execution_options(synchronize_session=False)
        )


HOURS: Final = 24


def key_hours(session: Session, now: datetime) -> Mapping[str, Sequence[int]]:
    """Return the requests of the last 24 clock hours by key, the current hour last."""
    present = now.replace(minute=0, second=0, microsecond=0)
    first = present - timedelta(hours=HOURS - 1)
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0] * HOURS)
    rows = session.execute(
        select(ApiKeyHour.key_id, ApiKeyHour.began_at, ApiKeyHour.requests).where(
            ApiKeyHour.began_at >= first, ApiKeyHour.began_at <= present
        )
    )
    for key_id, began_at, requests in rows:
        found[key_id][(began_at - first) // timedelta(hours=1)] = requests
    return found


def note_key_hours(session: Session, key_id: str, instants: Iterable[datetime]) -> None:
    """Raise the counts of the hours of these requests; a count is never lowered.

    The budget forgets instants older than an hour, so an hour is counted while it lasts and once
    after its end; the highest count is the right one.
    """
    counted = Counter(at.replace(minute=0, second=0, microsecond=0) for at in instants)
    found = select(ApiKeyHour).where(
        ApiKeyHour.key_id == key_id, ApiKeyHour.began_at.in_(list(counted))
    )
    known = {row.began_at: row for row in session.scalars(found)}
    for began_at, requests in counted.items():
        row = known.get(began_at)
        if row is None:
            session.add(ApiKeyHour(key_id=key_id, began_at=began_at, requests=requests))
        elif requests > row.requests:
            row.requests = requests
    session.flush()
