"""Messages of booking sites."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from pms.foundation.provider_http import ProviderError, ProviderRequest
from pms.providers.authentication import Access, Outgoing, post_request
from pms.rules.contract_dates import strict_instant
from pms.rules.provider_json import ProviderEvent

_THREAD: Final = "/"
_BOOKING: Final = "#"
_MESSAGE: Final = "!"
_FIELDS: Final = {
    _THREAD: "conversationId",
    _BOOKING: "bookingReference",
    _MESSAGE: "messageId",
}


class OtaAddress(NamedTuple):
    """The address of an answer: the channel, and the relay's field that identifies the guest."""

    channel: str
    field: str
    value: str


def thread_name(channel: str, conversation_id: str) -> str:
    """Return the handle of a guest by a channel's conversation."""
    return f"{channel}{_THREAD}{conversation_id}"


def booking_name(channel: str, reference: str) -> str:
    """Return the handle of a guest by a channel's booking."""
    return f"{channel}{_BOOKING}{reference}"


def message_name(channel: str, message_id: str) -> str:
    """Return the handle of a guest known only by one message."""
    return f"{channel}{_MESSAGE}{message_id}"


def ota_address(name: str) -> OtaAddress | None:
    """Parse a handle; channel names contain no separator, so it is split at the first one."""
    places = [(name.find(mark), mark) for mark in _FIELDS if mark in name]
    if not places:
        return None
    place, mark = min(places)
    return OtaAddress(name[:place], _FIELDS[mark], name[place + 1 :])


KIND: Final = "message"
_CHANNEL: Final = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}")
_LONGEST_ID: Final = 200
_LONGEST_NAME: Final = 200
_LONGEST_TEXT: Final = 10_000
_SHOWN: Final = 60
_NO_INSTANT: Final = datetime(1970, 1, 1, tzinfo=UTC)


class UnreadableMessage(ValueError):
    """A body that is not a valid message; each problem is a sentence that begins with its field."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class OtaMessage(NamedTuple):
    """A guest's message on a booking channel, as the relay sends it."""

    channel: str
    message_id: str
    conversation_id: str | None
    booking_reference: str | None
    guest_name: str
    text: str
    sent_at: datetime
    listing: str | None

    @property
    def key(self) -> str:
        """The key against repeats; message ids are unique within a channel."""
        return f"{self.channel}:{self.message_id}"

    def event(self) -> ProviderEvent:
        """Return the message as the event that is stored until it is processed."""
        body = {**self._asdict(), "sent_at": self.sent_at.isoformat()}
        return ProviderEvent(self.key, KIND, body, self.sent_at)


def read_ota_message(body: Mapping[str, Any]) -> OtaMessage:
    """Return the message of a relay; unknown fields are ignored.

    Raises `UnreadableMessage` with every problem: a field that is missing, of another type or too
    long, or an invalid time.
    """
    read = _Reading(body)
    message = OtaMessage(
        channel=read.channel(),
        message_id=read.text("messageId", _LONGEST_ID) or "",
        conversation_id=read.text("conversationId", _LONGEST_ID, is_needed=False),
        booking_reference=read.text("bookingReference", _LONGEST_ID, is_needed=False),
        guest_name=read.text("guestName", _LONGEST_NAME) or "",
        text=read.text("text", _LONGEST_TEXT, is_one_line=False) or "",
        sent_at=read.instant("sentAt"),
        listing=read.text("listing", _LONGEST_NAME, is_needed=False),
    )
    if read.problems:
        raise UnreadableMessage(read.problems)
    return message


def kept_ota_message(body: Mapping[str, Any]) -> OtaMessage:
    """Return the message from which `OtaMessage.event` was made."""
    facts = {name: body.get(name) for name in OtaMessage._fields}
    return OtaMessage(**{**facts, "sent_at": datetime.fromisoformat(str(facts["sent_at"]))})  # type: ignore[arg-type]


class _Reading:
    """Reads fields one by one and collects their problems."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._body = body
        self.problems: list[str] = []

    def text(
        self, name: str, longest: int, *, is_needed: bool = True, is_one_line: bool = True
    ) -> str | None:
        given = self._body.get(name)
        if given is None and not is_needed:
            return None
        wanted = f"a text of 1 to {longest} characters"
        if not isinstance(given, str):
            self._add_problem(name, given, wanted)
            return None
        text = normalize("NFC", given)
        text = text.strip() if is_one_line else text
        if not text.strip() and not is_needed:
            return None
        if not text.strip() or len(text) > longest or not _is_storable(text):
            self._add_problem(name, given, f"{wanted}, without NUL")
            return None
        return text

    def channel(self) -> str:
        given = self._body.get("channel")
        channel = given.strip().lower() if isinstance(given, str) else ""
        if not _CHANNEL.fullmatch(channel):
            wanted = "a name of 1 to 40 letters, digits, '_', '.' and '-', such as airbnb"
            self._add_problem("channel", given, wanted)
        return channel

    def instant(self, name: str) -> datetime:
        given = self._body.get(name)
        instant = strict_instant(given) if isinstance(given, str) else None
        if instant is None:
            wanted = "an instant with a zone, such as 2026-11-20T02:58:41Z"
            self._add_problem(name, given, wanted)
        return instant or _NO_INSTANT

    def _add_problem(self, name: str, given: object, wanted: str) -> None:
        if given is None:
            self.problems.append(f"{name}: is missing; it is {wanted}.")
            return
        written = given if isinstance(given, str) else type(given).__name__
        shown = "".join(mark if mark.isprintable() else "\ufffd" for mark in written[:_SHOWN])
        self.problems.append(f"{name}: '{shown}' is not {wanted}.")


def _is_storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= mark <= "\udfff" for mark in text)


def ota_request(access: Access, _: str, message: Outgoing) -> ProviderRequest:
    """Return the request that gives the relay a text; it recognises repeats by the message's id."""
    address = ota_address(message.handle)
    if address is None:
        raise ProviderError("nothing tells the relay whom this goes to", for_good=True)
    facts = {"id": message.id, "channel": address.channel, address.field: address.value}
    _, _, last = (message.reply_to or "").partition(":")
    if last:
        facts["inReplyTo"] = last
    url = f"{access.address}/messages"
    return post_request(
        access, url, {**facts, "text": message.text}, {"Idempotency-Key": message.id}
    )
