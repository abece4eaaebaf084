"""How much each key asked over the last day, hour by hour."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import ApiKeyHour

HOURS: Final = 24


def key_hours(session: Session, now: datetime) -> Mapping[str, Sequence[int]]:
    """Return the requests of the last 24 hours of the clock by key, the present hour last."""
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
