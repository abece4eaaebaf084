"""The traffic of the demo's websites: a quarter of visits, and a day of what their keys ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey, ApiKeyCall, ApiKeyHour
from pms.catalogue.models import Unit
from pms.demo.data_files import read_toml
from pms.demo.rows import Chance
from pms.foundation.clock import FixedClock
from pms.rules.days import day_of, day_start
from pms.rules.enumerations import Scope, TelemetryAxis, TelemetryType
from pms.rules.telemetry import MOST_EVENTS, SeenEvent
from pms.site.models import Post, SiteConfiguration, TelemetryDay
from pms.site.visits import take_telemetry

_DAYS: Final = 92
_WEEKEND: Final = 5
_MOST_UNITS: Final = 14
_TRAFFIC: Final = read_toml("traffic")
_CAMPAIGNS: Final = _TRAFFIC["campaign"]
_REFERRERS: Final = _TRAFFIC["referrer"]
_EVENTS: Final = _TRAFFIC["event"]
_OF_UNITS, _OF_POSTS, _OF_CAMPAIGNS = 0.34, 0.09, 0.03


def keep_visits(session: Session, slug: str, now: datetime) -> None:
    """Store what was counted of the last quarter, and today's visits as they came."""
    today, chance = day_of(now), Chance("visits", slug, day_of(now))
    if session.scalar(select(SiteConfiguration.id)) is None:
        return
    shares = _pages(session, chance)
    rows = [
        row
        for back in range(_DAYS, 0, -1)
        for row in _day(today - timedelta(days=back), -back, shares, chance)
    ]
    session.execute(insert(TelemetryDay), rows)
    events = list(_today(now, shares, chance))
    for first in range(0, len(events), MOST_EVENTS):
        take_telemetry(session, FixedClock(now), events=events[first : first + MOST_EVENTS])


def _pages(session: Session, chance: Chance) -> Sequence[tuple[str, float]]:
    """Which pages are seen, and what share of the views each has."""
    units = session.scalars(select(Unit.slug).order_by(Unit.id).limit(_MOST_UNITS)).all()
    posts = session.scalars(
        select(Post.slug).where(Post.published_at.is_not(None)).order_by(Post.id).limit(4)
    ).all()
    weights = [chance.between(0.4, 1.6) for _ in units]
    return [
        *_TRAFFIC["pages"].items(),
        *(
            (f"/units/{slug}", _OF_UNITS * w / sum(weights))
            for slug, w in zip(units, weights, strict=True)
        ),
        *((f"/blog/{slug}", _OF_POSTS / len(posts)) for slug in posts),
        *((f"/campaigns/{one['name']}", _OF_CAMPAIGNS / 3) for one in _CAMPAIGNS),
    ]


def _day(
    day: date, number: int, shares: Sequence[tuple[str, float]], chance: Chance
) -> Iterator[dict[str, object]]:
    views = _views(day, number, chance)
    visitors = round(views * chance.between(0.36, 0.44))

    def row(axis: TelemetryAxis, value: str, path: str, times: int) -> dict[str, object]:
        facts = {"day_on": day, "axis": axis, "value": value, "path": path, "times": times}
        return facts | {"visitors": min(visitors, max(1, round(times * chance.between(0.6, 0.9))))}

    yield row(TelemetryAxis.DAY, "", "", views) | {"visitors": visitors}
    for path, share in shares:
        if times := round(views * share * chance.between(0.7, 1.3)):
            yield row(TelemetryAxis.PAGE, path, "", times)
    for site in _REFERRERS:
        if times := round(visitors * site["share"] * chance.between(0.7, 1.3)):
            yield row(TelemetryAxis.REFERRER, site["host"], "", times)
    for event in _EVENTS:
        if times := round(views * event["share"] * chance.between(0.3, 1.7)):
            yield row(TelemetryAxis.EVENT, event["name"], event["path"], times)
    for one in _running(number):
        times = round(views * one["share"] * chance.between(0.8, 1.2))
        yield row(TelemetryAxis.CAMPAIGN, one["name"], "", times)


def _running(number: int) -> list[dict[str, Any]]:
    """The campaigns of a day, counted from today."""
    return [one for one in _CAMPAIGNS if one["first_day"] <= number <= one["last_day"]]


def _views(day: date, number: int, chance: Chance) -> int:
    """More from month to month, at weekends, and while a campaign runs."""
    views = (150 + number * 0.4) * chance.between(0.85, 1.15)
    if day.weekday() >= _WEEKEND:
        views *= 1.35
    running: float = sum(one["share"] for one in _running(number))
    return round(views * (1 + running))


def _today(
    now: datetime, shares: Sequence[tuple[str, float]], chance: Chance
) -> Iterator[SeenEvent]:
    seconds = (now - day_start(day_of(now))).total_seconds()
    count = max(1, round(_views(day_of(now), 0, chance) * seconds / 86_400))
    paths = [path for path, share in shares for _ in range(max(1, round(share * 100)))]
    for _ in range(count):
        at = now - timedelta(seconds=round(seconds * chance.share() * 0.9))
        is_led = chance.share() < 0.35
        yield SeenEvent(
            TelemetryType.PAGE_VIEW,
            chance.one_of(paths),
            occurred_at=at,
            visitor_id=f"visitor-{chance.whole(1, max(2, count // 3))}",
            referrer=f"https://{chance.one_of(_REFERRERS)['host']}/"
            if chance.share() < 0.5
            else "",
            campaign="first-month-half" if is_led else "",
        )
    for event in _EVENTS:
        for _ in range(round(count * event["share"])):
            yield SeenEvent(
                TelemetryType.EVENT, event["path"], event["name"], now, visitor_id="visitor-1"
            )


_HOURS: Final = 24
_CALLS: Final = 40
_ROOT: Final = "/api/agent"


def keep_key_calls(session: Session, now: datetime) -> None:
    """Store what each key asked over the last day, and its last calls."""
    present = now.replace(minute=0, second=0, microsecond=0)
    for key in session.scalars(select(ApiKey).order_by(ApiKey.id)):
        chance = Chance("calls", key.name)
        key.last_used_at = now - timedelta(minutes=chance.whole(1, 4))
        is_of_people = Scope.RESIDENTS_READ in key.scopes
        asked = read_toml("traffic")["resident_call" if is_of_people else "listing_call"]
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
    key: ApiKey, number: int, asked: list[dict[str, Any]], chance: Chance
) -> dict[str, object]:
    call = chance.one_of(asked) if number else asked[0]
    assert key.last_used_at is not None
    return {
        "key_id": key.id,
        "at": key.last_used_at - timedelta(seconds=number * (97 + chance.whole(0, 9))),
        "method": "GET",
        "path": _ROOT + call["path"],
        "status": call["status"],
        "milliseconds": call["milliseconds"] + chance.whole(0, 3),
    }
