"""What is kept of a website's events: no query, no whole address, no name of a visitor."""

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


def is_long_path(told: str) -> bool:
    """Whether a path of few enough characters takes too many bytes."""
    return len(told) * 4 > LONGEST_PATH and len(told.encode()) > LONGEST_PATH


def kept_path(told: str) -> str:
    """The path of a page without its query; a part of it that holds an address of mail is hidden."""
    path = told.partition("?")[0].partition("#")[0]
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


def referrer_host(told: str) -> str:
    """The host of the address a visitor came from, nothing if it has none."""
    _, scheme_ends, rest = told.partition("://")
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
