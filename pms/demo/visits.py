"""A quarter of visits to the demo websites: weekends, posts that are read, a campaign that works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.demo.chance import Chance
from pms.foundation.clock import FixedClock
from pms.rules.days import day_of, day_start
from pms.rules.enumerations import TelemetryAxis, TelemetryType
from pms.rules.telemetry import MOST_EVENTS, SeenEvent
from pms.site.models import Post, SiteConfiguration, TelemetryDay
from pms.site.take_telemetry import take_telemetry

DAYS: Final = 92
_WEEKEND: Final = 5
_MOST_UNITS: Final = 14
# (name, first day from today, last, share of the page views while it runs)
_CAMPAIGNS: Final = (
    ("autumn-letter", -64, -50, 0.18),
    ("first-month-half", -20, 40, 0.31),
    ("no-reservation-fee", -5, 40, 0.12),
)
_REFERRERS: Final = (
    ("www.google.com", 0.34),
    ("search.yahoo.co.jp", 0.12),
    ("www.instagram.com", 0.09),
    ("suumo.jp", 0.07),
    ("l.facebook.com", 0.03),
    ("www.bing.com", 0.02),
    ("t.co", 0.02),
)
_EVENTS: Final = (
    ("問い合わせを送信", "/contact", 0.012),
    ("電話番号を押した", "/contact", 0.006),
    ("写真を拡大", "/units", 0.09),
    ("検索条件を変更", "/units", 0.05),
    ("内見を予約", "/contact", 0.007),
)
_SHARES: Final = (("/", 0.24), ("/units", 0.21), ("/contact", 0.05), ("/about", 0.04))
_OF_UNITS, _OF_POSTS, _OF_CAMPAIGNS = 0.34, 0.09, 0.03


def keep_visits(session: Session, slug: str, now: datetime) -> None:
    """Store what was counted of the last quarter, and today's visits as they came."""
    today, chance = day_of(now), Chance("visits", slug, day_of(now))
    if session.scalar(select(SiteConfiguration.id)) is None:
        return
    shares = _pages(session, chance)
    rows = [
        row
        for back in range(DAYS, 0, -1)
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
        *_SHARES,
        *(
            (f"/units/{slug}", _OF_UNITS * w / sum(weights))
            for slug, w in zip(units, weights, strict=True)
        ),
        *((f"/blog/{slug}", _OF_POSTS / len(posts)) for slug in posts),
        *((f"/campaigns/{name}", _OF_CAMPAIGNS / 3) for name, *_ in _CAMPAIGNS),
    ]


def _day(
    day: date, number: int, shares: Sequence[tuple[str, float]], chance: Chance
) -> Iterator[dict[str, object]]:
    views = _views(day, number, chance)
    visitors = round(views * chance.between(0.36, 0.44))

    def row(axis: TelemetryAxis, value: str, path: str, times: int) -> dict[str, object]:
        told = {"day_on": day, "axis": axis, "value": value, "path": path, "times": times}
        return told | {"visitors": min(visitors, max(1, round(times * chance.between(0.6, 0.9))))}

    yield row(TelemetryAxis.DAY, "", "", views) | {"visitors": visitors}
    for path, share in shares:
        if times := round(views * share * chance.between(0.7, 1.3)):
            yield row(TelemetryAxis.PAGE, path, "", times)
    for host, share in _REFERRERS:
        if times := round(visitors * share * chance.between(0.7, 1.3)):
            yield row(TelemetryAxis.REFERRER, host, "", times)
    for name, path, share in _EVENTS:
        if times := round(views * share * chance.between(0.3, 1.7)):
            yield row(TelemetryAxis.EVENT, name, path, times)
    for name, first, last, share in _CAMPAIGNS:
        if first <= number <= last:
            times = round(views * share * chance.between(0.8, 1.2))
            yield row(TelemetryAxis.CAMPAIGN, name, "", times)


def _views(day: date, number: int, chance: Chance) -> int:
    """More from month to month, at weekends, and while a campaign runs."""
    views = (150 + number * 0.4) * chance.between(0.85, 1.15)
    if day.weekday() >= _WEEKEND:
        views *= 1.35
    running = sum(share for _, first, last, share in _CAMPAIGNS if first <= number <= last)
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
            referrer=f"https://{chance.one_of(_REFERRERS)[0]}/" if chance.share() < 0.5 else "",
            campaign="first-month-half" if is_led else "",
        )
    for name, path, share in _EVENTS:
        for _ in range(round(count * share)):
            yield SeenEvent(TelemetryType.EVENT, path, name, now, visitor_id="visitor-1")
