"""WhatsApp: its signature, its events and messages, and its requests."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from pms.foundation.provider_http import ProviderRequest
from pms.providers.authentication import (
    Access,
    Delivery,
    Outgoing,
    bearer_header,
    first_id,
    hmacs_of,
    is_one_of,
    post_request,
)
from pms.providers.line import place
from pms.rules.message_words import (
    LONGEST_WORDS,
    NO_REASON,
    WINDOW_CLOSED,
    IncomingMessage,
    MessageKind,
    MessageState,
)
from pms.rules.provider_json import (
    ProviderEvent,
    fingerprint,
    instant_of,
    kind_of,
    name_within,
    object_within,
    objects_within,
    storable,
    text_within,
    within,
)

MESSAGE: Final = "message"
STATUS: Final = "status"
_FIELD: Final = "messages"


def split_whatsapp(body: Mapping[str, Any]) -> list[ProviderEvent]:
    """Return the contents of a delivery without repeats: messages, statuses, and other changes.

    A message is identified by its id, a status by the message's id and the status, so that sent and
    delivered are two. Raises `ValueError` for a body without a list of entries.
    """
    entries = body.get("entry")
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise ValueError("entry: a list of objects is wanted")
    split = (
        event
        for entry in storable(entries)
        for change in objects_within(entry, "changes")
        for event in _list_change_events(entry, change)
    )
    return list({event.key: event for event in split}.values())


def _list_change_events(
    entry: Mapping[str, Any], change: Mapping[str, Any]
) -> Iterator[ProviderEvent]:
    messages = objects_within(change, "value", "messages")
    statuses = objects_within(change, "value", "statuses")
    if change.get("field") != _FIELD or not (messages or statuses):
        # The event of another change; it has no id, so it is identified by its content.
        kind = kind_of(name_within(change, "field"))
        facts = {"entry": entry.get("id"), "time": entry.get("time"), "change": change}
        other_event = ProviderEvent(
            f"{kind}:{fingerprint(facts)}", kind, facts, instant_of(entry.get("time"))
        )
        yield other_event
        return
    numbers = within(change, "value", "metadata")
    contacts = objects_within(change, "value", "contacts")
    for message in messages:
        key = name_within(message, "id") or fingerprint(message)
        body = {
            "message": message,
            "contact": _find_contact(message, contacts),
            "metadata": numbers,
        }
        yield ProviderEvent(
            key,
            kind_of(MESSAGE, name_within(message, "type")),
            body,
            instant_of(message.get("timestamp")),
        )
    for status in statuses:
        step = name_within(status, "status")
        key = name_within(status, "id") or fingerprint(status)
        yield ProviderEvent(
            f"{key}:{step or 'unknown'}",
            kind_of(STATUS, step),
            {"status": status, "metadata": numbers},
            instant_of(status.get("timestamp")),
        )


def _find_contact(
    message: Mapping[str, Any], contacts: list[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """Return the writer of a message from the delivery's contacts."""
    of_number = name_within(message, "from")
    of_user = name_within(message, "from_user_id")
    for contact in contacts:
        if of_number is not None and name_within(contact, "wa_id") == of_number:
            return contact
        if of_user is not None and name_within(contact, "user_id") == of_user:
            return contact
    return None


_OF_FILES: Final = {
    "image": MessageKind.IMAGE,
    "video": MessageKind.VIDEO,
    "audio": MessageKind.AUDIO,
    "voice": MessageKind.AUDIO,
    "document": MessageKind.FILE,
    "sticker": MessageKind.STICKER,
}
_STEPS: Final = {
    "sent": MessageState.SENT,
    "delivered": MessageState.DELIVERED,
    "read": MessageState.READ,
    "failed": MessageState.FAILED,
}
_EDITS: Final = frozenset({"edit", "edited"})
_WINDOW_CLOSED: Final = 131047


def whatsapp_handles(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the handles of a writer: the number, and the id for people who hide their number."""
    found = (
        name_within(body, "message", "from"),
        name_within(body, "message", "from_user_id") or name_within(body, "contact", "user_id"),
    )
    return tuple(dict.fromkeys(handle for handle in found if handle is not None))


def whatsapp_phone(body: Mapping[str, Any]) -> str | None:
    """Return the writer's number in international form; None if it is hidden."""
    number = name_within(body, "message", "from")
    return f"+{number}" if number and number.isascii() and number.isdigit() else None


def whatsapp_name(body: Mapping[str, Any]) -> str | None:
    """Return the writer's profile name."""
    profile = within(body, "contact", "profile")
    return name_within(profile, "name") or name_within(profile, "username")


def whatsapp_message(body: Mapping[str, Any]) -> IncomingMessage | None:
    """Return the content of a message; None for an unknown kind."""
    message = within(body, "message")
    kind = name_within(message, "type") or ""
    quoted = name_within(message, "context", "id")
    if kind in _OF_FILES:
        value = within(message, kind)
        return IncomingMessage(
            _OF_FILES[kind],
            (text_within(value, "caption") or "")[:LONGEST_WORDS],
            quoted,
            name_within(value, "id"),
            name_within(value, "mime_type"),
            name_within(value, "filename"),
        )
    if (whole := _WHOLE.get(kind)) is not None:
        return whole(message, quoted)
    read = _WORDS.get(kind)
    if read is None:
        return None
    return IncomingMessage(MessageKind.TEXT, read(message)[:LONGEST_WORDS], quoted)


def find_revoked_message(body: Mapping[str, Any]) -> str | None:
    """Return the id of the message that its writer deleted; None if it is missing."""
    return name_within(body, "message", "revoke", "original_message_id")


def whatsapp_step(body: Mapping[str, Any]) -> MessageState | None:
    """Return the state of our message; None for an unknown status."""
    return _STEPS.get(name_within(body, "status", "status") or "")


def whatsapp_failure(body: Mapping[str, Any]) -> str:
    """Return why our message was not delivered, as clearly as it is known."""
    for error in objects_within(body, "status", "errors"):
        return failure_of(error)
    return NO_REASON


def failure_of(error: Mapping[str, Any]) -> str:
    """Return the text of a WhatsApp error, and an explanation of the most common one."""
    code = error.get("code")
    if code == _WINDOW_CLOSED:
        return WINDOW_CLOSED
    reason = (
        text_within(error, "error_data", "details")
        or text_within(error, "message")
        or text_within(error, "title")
        or "no reason given"
    )
    return (
        f"WhatsApp {code}: {reason}"[:300] if isinstance(code, int) else f"WhatsApp: {reason}"[:300]
    )


def _read_reaction(message: object, _quoted: str | None) -> IncomingMessage:
    emoji = text_within(message, "reaction", "emoji") or ""
    target = name_within(message, "reaction", "message_id")
    return IncomingMessage(MessageKind.REACTION, emoji[:LONGEST_WORDS], target)


def _read_location(message: object, quoted: str | None) -> IncomingMessage:
    parts = place(within(message, "location"), "name", "address")
    return IncomingMessage(MessageKind.LOCATION, parts, quoted)


def _unsupported_message(_message: object, quoted: str | None) -> IncomingMessage:
    return IncomingMessage(MessageKind.UNSUPPORTED, quoted_id=quoted)


def _read_edit(message: object, quoted: str | None) -> IncomingMessage:
    """Return an edit of earlier words; a file sent with them is kept."""
    edited = within(message, name_within(message, "type") or "")
    original = (
        name_within(edited, "original_message_id") or name_within(edited, "message_id") or quoted
    )
    content = object_within(edited, "message") or object_within({"": edited}, "")
    kind = name_within(content, "type") or "text"
    is_nested = kind in _EDITS
    written = None if is_nested else whatsapp_message({"message": {**content, "type": kind}})
    words = "" if written is None else written.text
    shown = MessageKind.TEXT if words else MessageKind.UNSUPPORTED
    return IncomingMessage(shown, words, original, is_edit=True)


def _read_plain_text(message: object) -> str:
    return text_within(message, "text", "body") or ""


def _read_button_text(message: object) -> str:
    return text_within(message, "button", "text") or ""


def _chosen_text(message: object) -> str:
    chosen = within(message, "interactive")
    kind = name_within(chosen, "type") or ""
    choice = within(chosen, kind)
    lines = [text_within(choice, name) for name in ("title", "description", "body")]
    return "\n".join(line for line in lines if line)


def _read_contact_cards(message: object) -> str:
    lines = []
    for card in objects_within(message, "contacts"):
        phones = [name_within(phone, "phone") for phone in objects_within(card, "phones")]
        texts = [text_within(card, "name", "formatted_name"), *phones]
        lines.append(" ".join(part for part in texts if part))
    return "\n".join(line for line in lines if line)


_WHOLE: Final[Mapping[str, Callable[[object, str | None], IncomingMessage]]] = {
    "reaction": _read_reaction,
    "location": _read_location,
    "unsupported": _unsupported_message,
    "unknown": _unsupported_message,
    **dict.fromkeys(_EDITS, _read_edit),
}
_WORDS: Final[Mapping[str, Callable[[object], str]]] = {
    "text": _read_plain_text,
    "button": _read_button_text,
    "interactive": _chosen_text,
    "contacts": _read_contact_cards,
}


_WHATSAPP: Final = "x-hub-signature-256"


_SHA256: Final = "sha256="


def is_signed_whatsapp(delivery: Delivery, secrets: Sequence[str]) -> bool:
    """Whether a delivery is signed with one of the secrets."""
    wanted = [_SHA256 + made.hex() for made in hmacs_of(delivery.body, secrets)]
    return is_one_of((delivery.headers.get(_WHATSAPP, ""),), wanted)


VERSION: Final = "v23.0"


_HAS_VERSION: Final = re.compile(r"/v\d{1,3}\.\d$")


def whatsapp_address(access: Access) -> str:
    """Return WhatsApp's base URL, with the default version unless it has one."""
    address = access.address
    return address if _HAS_VERSION.search(address) else f"{address}/{VERSION}"


def whatsapp_request(access: Access, _: str, message: Outgoing) -> ProviderRequest:
    """Return the request that sends a text; its mark comes back with each status."""
    # People who hide their number are addressed by the id that WhatsApp gave them for us.
    to = "to" if message.handle.isdigit() else "recipient"
    facts = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        to: message.handle,
        "type": "text",
        "text": {"body": message.text, "preview_url": False},
        "biz_opaque_callback_data": message.mark,
    }
    url = f"{whatsapp_address(access)}/{quote(access.account or '', safe='')}/messages"
    return post_request(access, url, facts)


def whatsapp_id_in(answer: Mapping[str, Any]) -> str | None:
    """Return WhatsApp's id of the message it accepted."""
    return first_id(answer, "messages")


def whatsapp_place_request(access: Access, media_id: str) -> ProviderRequest:
    """Return the request for a file's address; an address in a delivery itself is never used."""
    url = f"{whatsapp_address(access)}/{quote(media_id, safe='')}"
    return ProviderRequest("GET", url, bearer_header(access))


def whatsapp_file_request(access: Access, url: str) -> ProviderRequest:
    """Return the request for a file at the address WhatsApp answered."""
    return ProviderRequest("GET", url, bearer_header(access))
