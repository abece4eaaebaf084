"""LINE: its signature, its events and messages, and its requests."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, urlsplit
from uuid import UUID

from pms.foundation.provider_http import ProviderRequest
from pms.providers.authentication import (
    Access,
    Delivery,
    Outgoing,
    bearer_header,
    first_id,
    hmacs_in_base64,
    is_one_of,
    post_request,
)
from pms.rules.message_words import KEPT_ELSEWHERE, LONGEST_WORDS, IncomingMessage, MessageKind
from pms.rules.provider_json import (
    ProviderEvent,
    fingerprint,
    instant_of,
    kind_of,
    name_within,
    storable,
    text_within,
    within,
)

_MESSAGE: Final = "message"
_OF_A_DELIVERY: Final = frozenset({"deliveryContext", "replyToken"})
"""The fields that differ between deliveries of one event, so they do not identify it."""


def split_line(body: Mapping[str, Any]) -> list[ProviderEvent]:
    """Return the events of a delivery, without repeats; the console's test delivery has none.

    An event is identified by its `webhookEventId`. Raises `ValueError` for a body without a list of
    events.
    """
    events = body.get("events")
    if not isinstance(events, list) or not all(isinstance(event, Mapping) for event in events):
        raise ValueError("events: a list of objects is wanted")
    split = (_read_event(storable(event, 1)) for event in events)
    return list({event.key: event for event in split}.values())


def _read_event(event: Mapping[str, Any]) -> ProviderEvent:
    kind = name_within(event, "type")
    if kind == _MESSAGE:
        kind = kind_of(_MESSAGE, name_within(event, "message", "type"))
    milliseconds = event.get("timestamp")
    seconds = milliseconds // 1000 if isinstance(milliseconds, int) else None
    facts = {name: part for name, part in event.items() if name not in _OF_A_DELIVERY}
    key = name_within(event, "webhookEventId") or fingerprint(facts)
    return ProviderEvent(key, kind_of(kind), event, instant_of(seconds))


_OF_FILES: Final = {
    "image": MessageKind.IMAGE,
    "video": MessageKind.VIDEO,
    "audio": MessageKind.AUDIO,
    "file": MessageKind.FILE,
}


def line_handle(event: Mapping[str, Any]) -> str | None:
    """Return the source of an event: a group or a room, else the person."""
    source = within(event, "source")
    for name in ("groupId", "roomId", "userId"):
        handle = name_within(source, name)
        if handle is not None:
            return handle
    return None


def line_message(event: Mapping[str, Any]) -> IncomingMessage | None:
    """Return the content of a message; None for an unknown kind."""
    kind = name_within(event, "message", "type")
    message = within(event, "message")
    if kind in _OF_FILES:
        return _read_file(_OF_FILES[kind], message)
    read = _READ.get(kind or "")
    return None if read is None else read(message)


def _read_text(message: object) -> IncomingMessage:
    words = (text_within(message, "text") or "")[:LONGEST_WORDS]
    return IncomingMessage(MessageKind.TEXT, words, name_within(message, "quotedMessageId"))


def _read_file(kind: MessageKind, message: object) -> IncomingMessage:
    is_elsewhere = within(message, "contentProvider", "type") == "external"
    return IncomingMessage(
        kind,
        media_id=None if is_elsewhere else name_within(message, "id"),
        media_name=name_within(message, "fileName"),
        media_failure=KEPT_ELSEWHERE if is_elsewhere else None,
    )


def _read_sticker(message: object) -> IncomingMessage:
    keywords = within(message, "keywords")
    first = keywords[0] if isinstance(keywords, list) and keywords else ""
    words = text_within(message, "text") or (first if isinstance(first, str) else "")
    quoted = name_within(message, "quotedMessageId")
    return IncomingMessage(MessageKind.STICKER, words[:LONGEST_WORDS], quoted)


def _read_location(message: object) -> IncomingMessage:
    return IncomingMessage(MessageKind.LOCATION, place(message, "title", "address"))


def place(value: object, *names: str) -> str:
    """Return a location as text: its names, then its coordinates."""
    lines = [text_within(value, name) or "" for name in names]
    figures = (within(value, "latitude"), within(value, "longitude"))
    if all(isinstance(figure, int | float) and not isinstance(figure, bool) for figure in figures):
        lines.append(f"{figures[0]}, {figures[1]}")
    return "\n".join(line for line in lines if line)[:LONGEST_WORDS]


_READ: Final[Mapping[str, Callable[[object], IncomingMessage]]] = {
    "text": _read_text,
    "sticker": _read_sticker,
    "location": _read_location,
}


_LINE: Final = "x-line-signature"


def is_signed_line(delivery: Delivery, secrets: Sequence[str]) -> bool:
    """Whether a delivery is signed with one of the secrets."""
    return is_one_of((delivery.headers.get(_LINE, ""),), hmacs_in_base64(delivery.body, secrets))


def line_push_request(access: Access, call_id: str, message: Outgoing) -> ProviderRequest:
    """Return the request that sends a text to a person, group or room; repeats are idempotent."""
    facts = {"to": message.handle, "messages": [{"type": "text", "text": message.text}]}
    url = f"{access.address}/v2/bot/message/push"
    return post_request(access, url, facts, {"X-Line-Retry-Key": str(UUID(call_id))})


def line_id_in(answer: Mapping[str, Any]) -> str | None:
    """Return LINE's id of the message it accepted."""
    return first_id(answer, "sentMessages")


_LINE_HOST: Final = "api.line.me"


_LINE_DATA_HOST: Final = "api-data.line.me"


def line_file_request(access: Access, media_id: str) -> ProviderRequest:
    """Return the request for a file, which LINE serves from another host."""
    address = access.address
    if urlsplit(address).hostname == _LINE_HOST:
        address = address.replace(_LINE_HOST, _LINE_DATA_HOST, 1)
    url = f"{address}/v2/bot/message/{quote(media_id, safe='')}/content"
    return ProviderRequest("GET", url, bearer_header(access))


_GROUP: Final = "C"


def line_name_request(access: Access, handle: str) -> ProviderRequest:
    """Return the request for a person's profile, or for a group's name."""
    name = quote(handle, safe="")
    path = f"group/{name}/summary" if handle.startswith(_GROUP) else f"profile/{name}"
    headers = {"Authorization": f"Bearer {access.secret}"}
    return ProviderRequest("GET", f"{access.address}/v2/bot/{path}", headers)


def line_name_in(answer: Mapping[str, Any]) -> str | None:
    """Return the name in LINE's answer."""
    name = text_within(answer, "displayName") or text_within(answer, "groupName")
    return " ".join(str(storable(name)).split()) if name else None
