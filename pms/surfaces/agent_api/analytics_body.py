"""Read reports of visits: with a fast decoder for plain input, else strictly field by field.

The fast decoder accepts only input that the strict reader would read the same way: no duplicate
names, texts in NFC without control characters, no escapes, no unknown fields or nulls. All other
input goes to the strict reader, which names every problem.
"""

import re
from datetime import UTC, datetime
from typing import Annotated, Final
from unicodedata import is_normalized

import msgspec
from flask import request

from pms.rules.enumerations import TelemetryType
from pms.rules.telemetry import (
    AHEAD,
    LONGEST_CAMPAIGN,
    LONGEST_NAME,
    LONGEST_PATH,
    LONGEST_REFERRER,
    LONGEST_VISITOR,
    MOST_EVENTS,
    OLDEST,
    SeenEvent,
    is_long_path,
)
from pms.surfaces.agent_api.json_body import JSON, JsonBody, whole_body

_BLANKS: Final = b" \t\r\n"
_CONTROLS: Final = re.compile("[\x7f-\x9f]")
_MOST_PROPERTIES: Final = 20
_LONGEST_PROPERTY: Final = 200
_LONGEST_PROPERTY_NAME: Final = 60


def _up_to(most: int) -> msgspec.Meta:
    return msgspec.Meta(max_length=most)


class _Event(msgspec.Struct, omit_defaults=True, rename="camel"):
    """One event, with the field names of the API."""

    type: TelemetryType
    path: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_PATH)]
    name: Annotated[str, _up_to(LONGEST_NAME)] | None = None
    occurred_at: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    visitor_id: Annotated[str, _up_to(LONGEST_VISITOR)] | None = None
    referrer: Annotated[str, _up_to(LONGEST_REFERRER)] | None = None
    properties: (
        Annotated[
            dict[
                Annotated[str, msgspec.Meta(min_length=1, max_length=_LONGEST_PROPERTY_NAME)],
                Annotated[str, _up_to(_LONGEST_PROPERTY)] | bool,
            ],
            _up_to(_MOST_PROPERTIES),
        ]
        | None
    ) = None


class _Report(msgspec.Struct):
    events: Annotated[list[_Event], msgspec.Meta(min_length=1, max_length=MOST_EVENTS)]


_decode: Final = msgspec.json.Decoder(_Report).decode
_encode: Final = msgspec.json.Encoder().encode


def read_events(now: datetime) -> list[SeenEvent]:
    """Return the events of the request's body; raise `Refused` with every problem."""
    if request.mimetype == JSON and "Content-Encoding" not in request.headers:
        events = _read_events_quickly(whole_body(), now)
        if events is not None and not request.mimetype_params:
            return events
    body = JsonBody.read()
    events = [_read_event(each, now) for each in body.items("events", 1, MOST_EVENTS)]
    body.finish()
    return events


def _read_events_quickly(raw: bytes, now: datetime) -> list[SeenEvent] | None:
    if b"\\" in raw or not _is_plain(raw):
        return None
    try:
        report = _decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        return None
    if _count_names(raw) != _count_names(_encode(report)):
        return None  # a duplicate or unknown name, or a null
    first, last = now - OLDEST, now + AHEAD
    events = []
    for each in report.events:
        path, at, properties = each.path.strip(), each.occurred_at, each.properties
        if path[:1] != "/" or is_long_path(path) or (at is not None and not first <= at <= last):
            return None
        campaign = properties.get("campaign", "") if properties else ""
        if campaign.__class__ is not str or len(campaign) > LONGEST_CAMPAIGN:
            return None
        name, visitor_id = (each.name or "").strip(), (each.visitor_id or "").strip()
        at = at.replace(microsecond=0) if at and at.microsecond else at
        referrer = each.referrer or ""
        events.append(SeenEvent(each.type, path, name, at, visitor_id, referrer, campaign.strip()))
    return events


def _is_plain(raw: bytes) -> bool:
    if raw.isascii():
        return b"\x7f" not in raw
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return False
    return is_normalized("NFC", text) and not _CONTROLS.search(text)


def _count_names(raw: bytes) -> int:
    """Count the names of all objects; without escapes, `":` only occurs at the end of a name."""
    return raw.translate(None, _BLANKS).count(b'":')


def _read_event(body: JsonBody, now: datetime) -> SeenEvent:
    type_ = body.choice("type", TelemetryType, needed=True)
    path = body.line("path", LONGEST_PATH, needed=True)
    if path and not path.startswith("/"):
        body.refuse("path", path, "a path that begins with /")
    if path and len(path) <= LONGEST_PATH and is_long_path(path):
        text = f"{len(path.encode())} bytes in UTF-8"
        body.refuse("path", text, f"a path of at most {LONGEST_PATH} bytes")
    at = body.instant("occurredAt")
    # An invalid field was reported already.
    if at is not None and at.year > 1 and not now - OLDEST <= at <= now + AHEAD:
        first, last = (_instant_text(each) for each in (now - OLDEST, now + AHEAD))
        body.refuse("occurredAt", _instant_text(at), f"an instant from {first} to {last}")
    properties = body.plain("properties", _MOST_PROPERTIES, _LONGEST_PROPERTY)
    campaign = properties.get("campaign") or ""
    if not isinstance(campaign, str) or len(campaign) > LONGEST_CAMPAIGN:
        wanted = f"a line of 0 to {LONGEST_CAMPAIGN} characters"
        body.refuse("properties.campaign", campaign, wanted)
        campaign = ""
    return SeenEvent(
        type_,
        path,
        body.line("name", LONGEST_NAME) or "",
        at,
        body.line("visitorId", LONGEST_VISITOR) or "",
        body.line("referrer", LONGEST_REFERRER) or "",
        campaign,
    )


def _instant_text(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
