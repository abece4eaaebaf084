"""Names of guests on travel channels: the channel, a mark, and what the channel knows them by."""

from typing import Final, NamedTuple

_THREAD: Final = "/"
_BOOKING: Final = "#"
_MESSAGE: Final = "!"
_FIELDS: Final = {
    _THREAD: "conversationId",
    _BOOKING: "bookingReference",
    _MESSAGE: "messageId",
}


class OtaAddress(NamedTuple):
    """Where an answer goes: the channel, and by which field of the relay it finds its guest."""

    channel: str
    field: str
    value: str


def thread_name(channel: str, conversation_id: str) -> str:
    """A guest by the thread of a channel."""
    return f"{channel}{_THREAD}{conversation_id}"


def booking_name(channel: str, reference: str) -> str:
    """A guest by the booking of a channel."""
    return f"{channel}{_BOOKING}{reference}"


def message_name(channel: str, message_id: str) -> str:
    """A guest of whom nothing but one message is known."""
    return f"{channel}{_MESSAGE}{message_id}"


def ota_address(name: str) -> OtaAddress | None:
    """Return where a name leads; a channel has none of the marks, so the first one parts them."""
    places = [(name.find(mark), mark) for mark in _FIELDS if mark in name]
    if not places:
        return None
    place, mark = min(places)
    return OtaAddress(name[:place], _FIELDS[mark], name[place + 1 :])
