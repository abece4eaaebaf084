"""Telemetry and counts of visits."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from hashlib import blake2b
from typing import Final, NamedTuple
from urllib.parse import unquote_plus

from pms.rules.enumerations import TelemetryAxis, TelemetryType

MOST_EVENTS: Final = 100
LONGEST_PATH: Final = 1_000
"""In characters and in bytes of UTF-8: a figure is found by name and path, which an index holds."""
LONGEST_NAME: Final = 100
LONGEST_CAMPAIGN: Final = 100
LONGEST_VISITOR: Final = 200
LONGEST_REFERRER: Final = 2_000
OLDEST: Final = timedelta(hours=48)
"""An event is told of within so long; its day stays open for as many days."""
AHEAD: Final = timedelta(minutes=5)
"""A website's clock may be so far ahead; what it tells then counts as now."""
OPEN_DAYS: Final = 2
MOST_EVENTS_A_DAY: Final = 100_000
"""So many events of a day are kept of one workspace; a key in a public page cannot fill the disk."""
KEPT_MONTHS: Final = 25
OTHER: Final = " (other)"
"""The blank before it keeps it apart from whatever a website tells, which is kept trimmed."""
MOST_VALUES: Final = {
    TelemetryAxis.DAY: 1,
    TelemetryAxis.PAGE: 200,
    TelemetryAxis.EVENT: 200,
    TelemetryAxis.CAMPAIGN: 50,
    TelemetryAxis.REFERRER: 100,
}
"""So many different values of a day are counted by name, the most frequent; the rest is `OTHER`."""
_CAMPAIGN: Final = "&utm_campaign="
_HIDDEN: Final = "…"
_HASH_BYTES: Final = 12


class SeenEvent(NamedTuple):
    """One event as a website told it, an empty text for what it did not tell."""

    type: TelemetryType
    path: str
    name: str = ""
    occurred_at: datetime | None = None
    visitor_id: str = ""
    referrer: str = ""
    campaign: str = ""


def is_long_path(text: str) -> bool:
    """Whether a path of few enough characters takes too many bytes."""
    return len(text) * 4 > LONGEST_PATH and len(text.encode()) > LONGEST_PATH


def kept_path(text: str) -> str:
    """The path of a page without its query; a part of it that holds an address of mail is hidden."""
    path = text.partition("?")[0].partition("#")[0]
    if "@" in path or "%40" in path:
        parts = path.split("/")
        path = "/".join(_HIDDEN if "@" in part or "%40" in part else part for part in parts)
    return path


def campaign_of(told_path: str, told_campaign: str) -> str:
    """The campaign a page was opened from: what was said, else `utm_campaign` of the query."""
    if told_campaign or "utm_" not in told_path:
        return told_campaign[:LONGEST_CAMPAIGN]
    query = told_path.partition("#")[0].partition("?")[2]
    found = f"&{query}".partition(_CAMPAIGN)[2].partition("&")[0]
    if "%" in found or "+" in found:
        found = unquote_plus(found)
    return found.strip()[:LONGEST_CAMPAIGN] if found.isprintable() else ""


def referrer_host(text: str) -> str:
    """The host of the address a visitor came from, nothing if it has none."""
    _, scheme_ends, rest = text.partition("://")
    if not scheme_ends:
        return ""
    authority = rest.partition("/")[0].partition("?")[0].partition("#")[0]
    host = authority.rpartition("@")[2].partition(":")[0].lower()
    return host if 0 < len(host) <= 253 and _is_host(host) else ""


def visitor_mark(salt: str, visitor_id: str) -> str:
    """What tells visitors of one day apart and, once the salt is gone, nobody of any other day."""
    if not visitor_id:
        return ""
    return blake2b(
        visitor_id.encode(), key=salt.encode(), digest_size=_HASH_BYTES, usedforsecurity=True
    ).hexdigest()


def first_open_day(today: date) -> date:
    """The earliest day of which events may still come."""
    return today - timedelta(days=OPEN_DAYS)


def _is_host(text: str) -> bool:
    return text.isascii() and text.replace("-", "").replace(".", "").isalnum()


_Value = tuple[TelemetryAxis, str, str]


class KeptEvent(NamedTuple):
    """What is kept of one event: no query, no whole address, nobody's name.

    An empty text stands for what is not known; `visitor` tells visitors apart within a day alone.
    """

    type: TelemetryType
    path: str
    name: str
    campaign: str
    referrer: str
    visitor: str


class Counted(NamedTuple):
    """How often a value was seen, by how many visitors; `path` is where, for events alone."""

    value: str
    path: str
    times: int
    visitors: int


class VisitCounts:
    """The figures of one day, as its events are met one by one, in any order."""

    def __init__(self, own_host: str) -> None:
        """Begin with nothing; who comes from the website's own host came from nowhere."""
        self._nowhere: Final = frozenset({"", own_host})
        self._times: defaultdict[_Value, int] = defaultdict(int)
        self._visitors: defaultdict[_Value, set[str]] = defaultdict(set)

    def count(self, events: Iterable[KeptEvent]) -> None:
        """Count some events."""
        times, visitors = self._times, self._visitors
        for event in events:
            visitor = event.visitor
            for value in self._values(event):
                times[value] += 1
                if visitor:
                    visitors[value].add(visitor)

    def figures(self) -> Mapping[TelemetryAxis, Sequence[Counted]]:
        """Return what was seen along each axis, the most frequent first, bounded."""
        found: defaultdict[TelemetryAxis, list[Counted]] = defaultdict(list)
        for (axis, value, path), times in self._times.items():
            seen_by = len(self._visitors.get((axis, value, path), ()))
            found[axis].append(Counted(value, path, times, seen_by))
        return {axis: bounded(axis, counted) for axis, counted in found.items()}

    def _values(self, event: KeptEvent) -> Iterator[_Value]:
        if event.type is not TelemetryType.PAGE_VIEW:
            yield TelemetryAxis.EVENT, event.name, event.path
            return
        yield TelemetryAxis.DAY, "", ""
        yield TelemetryAxis.PAGE, event.path, ""
        if event.campaign:
            yield TelemetryAxis.CAMPAIGN, event.campaign, ""
        if event.referrer not in self._nowhere:
            yield TelemetryAxis.REFERRER, event.referrer, ""


def bounded(axis: TelemetryAxis, counted: Sequence[Counted]) -> Sequence[Counted]:
    """The most frequent values by name and all others as one, the most frequent first.

    Somebody who saw several of the others is counted for each.
    """
    ordered = sorted(counted, key=lambda each: (-each.times, each.value, each.path))
    most = MOST_VALUES[axis]
    kept, rest = ordered[:most], ordered[most:]
    if not rest:
        return kept
    times, visitors = sum(each.times for each in rest), sum(each.visitors for each in rest)
    return [*kept, Counted(OTHER, "", times, visitors)]
