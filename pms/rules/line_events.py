"""Takes a delivery of LINE apart into its events (Inbound webhooks)."""

from collections.abc import Mapping
from typing import Any, Final

from pms.rules.provider_events import ProviderEvent
from pms.rules.provider_json import fingerprint, instant_of, kind_of, name_within, storable

_MESSAGE: Final = "message"
_OF_A_DELIVERY: Final = frozenset({"deliveryContext", "replyToken"})
"""What differs between two deliveries of one event, so no part of what it is."""


def split_line(body: Mapping[str, Any]) -> list[ProviderEvent]:
    """Return the events of a delivery, each once; an empty list is the console's probe.

    An event is known by its `webhookEventId`. Raises `ValueError` for a body that has no list of
    events.
    """
    events = body.get("events")
    if not isinstance(events, list) or not all(isinstance(event, Mapping) for event in events):
        raise ValueError("events: a list of objects is wanted")
    split = (_event(storable(event, 1)) for event in events)
    return list({event.key: event for event in split}.values())


def _event(event: Mapping[str, Any]) -> ProviderEvent:
    kind = name_within(event, "type")
    if kind == _MESSAGE:
        kind = kind_of(_MESSAGE, name_within(event, "message", "type"))
    milliseconds = event.get("timestamp")
    seconds = milliseconds // 1000 if isinstance(milliseconds, int) else None
    return ProviderEvent(_key(event), kind_of(kind), event, instant_of(seconds))


def _key(event: Mapping[str, Any]) -> str:
    told = {name: part for name, part in event.items() if name not in _OF_A_DELIVERY}
    return name_within(event, "webhookEventId") or fingerprint(told)
