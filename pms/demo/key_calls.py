"""A day in the life of the demo's keys: polls of the website, and some calls that were refused."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey, ApiKeyCall, ApiKeyHour
from pms.demo.chance import Chance
from pms.rules.enumerations import Scope

_HOURS: Final = 24
_CALLS: Final = 40
_ROOT: Final = "/api/agent"
_LISTINGS: Final = (
    ("/properties", 200, 6),
    ("/properties", 304, 1),
    ("/properties", 304, 1),
    ("/properties/<unit_id>", 200, 4),
    ("/site/units", 304, 1),
    ("/site/campaigns", 200, 3),
    ("/properties", 400, 1),
    ("/residents", 403, 1),
)
_PEOPLE: Final = (
    ("/residents", 200, 7),
    ("/residents/<reservation_id>", 200, 4),
    ("/showings", 200, 5),
)


def keep_key_calls(session: Session, now: datetime) -> None:
    """Store what each key asked over the last day, and its last calls."""
    present = now.replace(minute=0, second=0, microsecond=0)
    for key in session.scalars(select(ApiKey).order_by(ApiKey.id)):
        chance = Chance("calls", key.name)
        key.last_used_at = now - timedelta(minutes=chance.whole(1, 4))
        asked = _PEOPLE if Scope.RESIDENTS_READ in key.scopes else _LISTINGS
        session.execute(
            insert(ApiKeyHour),
            [
                {
                    "key_id": key.id,
                    "began_at": present - timedelta(hours=back),
                    "requests": chance.whole(4, 60 if (present.hour + 9 - back) % 24 >= 8 else 12),
                }
                for back in range(_HOURS)
            ],
        )
        session.execute(
            insert(ApiKeyCall), [_call(key, number, asked, chance) for number in range(_CALLS)]
        )


def _call(
    key: ApiKey, number: int, asked: tuple[tuple[str, int, int], ...], chance: Chance
) -> dict[str, object]:
    path, status, milliseconds = chance.one_of(asked) if number else asked[0]
    assert key.last_used_at is not None
    return {
        "key_id": key.id,
        "at": key.last_used_at - timedelta(seconds=number * (97 + chance.whole(0, 9))),
        "method": "GET",
        "path": _ROOT + path,
        "status": status,
        "milliseconds": milliseconds + chance.whole(0, 3),
    }
