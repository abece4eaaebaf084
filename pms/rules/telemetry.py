"""Telemetry events and visit counts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from hashlib import blake2b
from typing import Final, NamedTuple
from urllib.parse import unquote_plus

from pms.rules.enumerations import TelemetryAxis, TelemetryType

MOST_EVENTS: Final = 100
LONGEST_PATH: Final = 1_000
"""In characters and in UTF-8 bytes: figures are indexed by name and path."""
LONGEST_NAME: Final = 100
LONGEST_CAMPAIGN: Final = 100
LONGEST_VISITOR: Final = 200
LONGEST_REFERRER: Final = 2_000
OLDEST: Final = timedelta(hours=48)
"""The oldest event that is accepted; a day stays open for that long."""
AHEAD: Final = timedelta(minutes=5)
"""How far a website's clock may be ahead; such an event counts as now."""
OPEN_DAYS: Final = 2
MOST_EVENTS_A_DAY: Final = 100_000
"""The most events stored per workspace and day, so that a public key cannot fill the disk."""
KEPT_MONTHS: Final = 25
OTHER: Final = " (other)"
"""The leading blank distinguishes it from anything a website sends, which is stored trimmed."""
MOST_VALUES: Final = {
    TelemetryAxis.DAY: 1,
    TelemetryAxis.PAGE: 200,
    TelemetryAxis.EVENT: 200,
    TelemetryAxis.CAMPAIGN: 50,
    TelemetryAxis.REFERRER: 100,
}
"""The most values of a day counted by name, the most frequent ones; the rest is `OTHER`."""
_CAMPAIGN: Final = "&utm_campaign="
_HIDDEN: Final = "…"
_HASH_BYTES: Final = 12


class SeenEvent(NamedTuple):
    """One event as sent by a website; "" for what it did not send."""

    type: TelemetryType
    path: str
    name: str = ""
    occurred_at: datetime | None = None
    visitor_id: str = ""
    referrer: str = ""
    campaign: str = ""


def is_long_path(text: str) -> bool:
    """Whether a path within the limit of characters has too many bytes."""
    return len(text) * 4 > LONGEST_PATH and len(text.encode()) > LONGEST_PATH


def kept_path(text: str) -> str:
    """The path of a page without its query; a part that contains an email address is hidden."""
    path = text.partition("?")[0].partition("#")[0]
    if "@" in path or "%40" in path:
        parts = path.split("/")
        path = "/".join(_HIDDEN if "@" in part or "%40" in part else part for part in parts)
    return path


def campaign_of(sent_path: str, sent_campaign: str) -> str:
    """The campaign of a page view: the one sent, else `utm_campaign` of the query."""
    if sent_campaign or "utm_" not in sent_path:
        return sent_campaign[:LONGEST_CAMPAIGN]
    query = sent_path.partition("#")[0].partition("?")[2]
    found = f"&{query}".partition(_CAMPAIGN)[2].partition("&")[0]
    if "%" in found or "+" in found:
        found = unquote_plus(found)
    return found.strip()[:LONGEST_CAMPAIGN] if found.isprintable() else ""


def referrer_host(text: str) -> str:
    """The host of the referrer's address, "" if there is none."""
    _, scheme_ends, rest = text.partition("://")
    if not scheme_ends:
        return ""
    authority = rest.partition("/")[0].partition("?")[0].partition("#")[0]
    host = authority.rpartition("@")[2].partition(":")[0].lower()
    return host if 0 < len(host) <= 253 and _is_host(host) else ""


def visitor_mark(salt: str, visitor_id: str) -> str:
    """A key for a visitor within one day; once the salt is deleted it matches no other day."""
    if not visitor_id:
        return ""
    return blake2b(
        visitor_id.encode(), key=salt.encode(), digest_size=_HASH_BYTES, usedforsecurity=True
    ).hexdigest()


def first_open_day(today: date) -> date:
    """The earliest day for which events are still accepted."""
    return today - timedelta(days=OPEN_DAYS)


def _is_host(text: str) -> bool:
    return text.isascii() and text.replace("-", "").replace(".", "").isalnum()


_Value = tuple[TelemetryAxis, str, str]


class KeptEvent(NamedTuple):
    """What is stored of one event: no query, no whole address, no name.

    "" stands for unknown; `visitor` distinguishes visitors within one day only.
    """

    type: TelemetryType
    path: str
    name: str
    campaign: str
    referrer: str
    visitor: str


class Counted(NamedTuple):
    """How often a value was seen, by how many visitors; `path` is set for events only."""

    value: str
    path: str
    times: int
    visitors: int


class VisitCounts:
    """The figures of one day, counted from its events in any order."""

    def __init__(self, own_host: str) -> None:
        """Start at zero; a visit from the website's own host has no referrer."""
        self._nowhere: Final = frozenset({"", own_host})
        self._times: defaultdict[_Value, int] = defaultdict(int)
        self._visitors: defaultdict[_Value, set[str]] = defaultdict(set)

    def count(self, events: Iterable[KeptEvent]) -> None:
        """Count some events."""
        times, visitors = self._times, self._visitors
        for event in events:
            visitor = event.visitor
            for value in self._list_counted_values(event):
                times[value] += 1
                if visitor:
                    visitors[value].add(visitor)

    def figures(self) -> Mapping[TelemetryAxis, Sequence[Counted]]:
        """Return the counts of each axis, most frequent first, limited in number."""
        found: defaultdict[TelemetryAxis, list[Counted]] = defaultdict(list)
        for (axis, value, path), times in self._times.items():
            seen_by = len(self._visitors.get((axis, value, path), ()))
            found[axis].append(Counted(value, path, times, seen_by))
        return {axis: bound_values(axis, counted) for axis, counted in found.items()}

    def _list_counted_values(self, event: KeptEvent) -> Iterator[_Value]:
        if event.type is not TelemetryType.PAGE_VIEW:
            yield TelemetryAxis.EVENT, event.name, event.path
            return
        yield TelemetryAxis.DAY, "", ""
        yield TelemetryAxis.PAGE, event.path, ""
        if event.campaign:
            yield TelemetryAxis.CAMPAIGN, event.campaign, ""
        if event.referrer not in self._nowhere:
            yield TelemetryAxis.REFERRER, event.referrer, ""


def bound_values(axis: TelemetryAxis, counted: Sequence[Counted]) -> Sequence[Counted]:
    """The most frequent values by name and all others as one, most frequent first.

    A visitor who saw several of the others is counted for each.
    """
    ordered = sorted(counted, key=lambda each: (-each.times, each.value, each.path))
    most = MOST_VALUES[axis]
    kept, rest = ordered[:most], ordered[most:]
    if not rest:
        return kept
    times, visitors = sum(each.times for each in rest), sum(each.visitors for each in rest)
    return [*kept, Counted(OTHER, "", times, visitors)]
