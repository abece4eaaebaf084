"""Counts what a key asked in each hour of the clock, from the instants the budget still keeps."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import ApiKeyHour

_HOUR = timedelta(hours=1)


def note_key_hours(session: Session, key_id: str, instants: Iterable[datetime]) -> None:
    """Raise the counts of the hours these requests fell into; a count never falls.

    The budget forgets what is older than an hour, so an hour is counted while it lasts and a last
    time after its end; the highest count is the true one.
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
