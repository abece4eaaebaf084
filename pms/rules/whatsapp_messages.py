"""Reads what somebody wrote on WhatsApp, who it was, and how a message of ours stands."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from pms.rules.channel_words import MessageKind, MessageState
from pms.rules.line_messages import place
from pms.rules.message_failures import NO_REASON, WINDOW_CLOSED
from pms.rules.provider_json import (
    name_within,
    object_within,
    objects_within,
    text_within,
    within,
)
from pms.rules.told_messages import LONGEST_WORDS, ToldMessage

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
    """Return what a writer is known by: the number, and the id of those who hide theirs."""
    found = (
        name_within(body, "message", "from"),
        name_within(body, "message", "from_user_id") or name_within(body, "contact", "user_id"),
    )
    return tuple(dict.fromkeys(handle for handle in found if handle is not None))


def whatsapp_phone(body: Mapping[str, Any]) -> str | None:
    """Return the number of a writer as it is dialled from anywhere; nothing when it is hidden."""
    number = name_within(body, "message", "from")
    return f"+{number}" if number and number.isascii() and number.isdigit() else None


def whatsapp_name(body: Mapping[str, Any]) -> str | None:
    """Return what a writer calls themselves."""
    profile = within(body, "contact", "profile")
    return name_within(profile, "name") or name_within(profile, "username")


def whatsapp_message(body: Mapping[str, Any]) -> ToldMessage | None:
    """Return what a message holds; nothing for a kind that does not exist today."""
    message = within(body, "message")
    kind = name_within(message, "type") or ""
    quoted = name_within(message, "context", "id")
    if kind in _OF_FILES:
        return _file(_OF_FILES[kind], within(message, kind), quoted)
    if (whole := _WHOLE.get(kind)) is not None:
        return whole(message, quoted)
    read = _WORDS.get(kind)
    if read is None:
        return None
    return ToldMessage(MessageKind.TEXT, read(message)[:LONGEST_WORDS], quoted)


def whatsapp_revoked(body: Mapping[str, Any]) -> str | None:
    """Return the id of the message that its writer deleted; nothing where none is named."""
    return name_within(body, "message", "revoke", "original_message_id")


def whatsapp_step(body: Mapping[str, Any]) -> MessageState | None:
    """Return how a message of ours stands; nothing for a word that does not exist today."""
    return _STEPS.get(name_within(body, "status", "status") or "")


def whatsapp_failure(body: Mapping[str, Any]) -> str:
    """Return why a message of ours did not arrive, as plainly as it is known."""
    for error in objects_within(body, "status", "errors"):
        return failure_of(error)
    return NO_REASON


def failure_of(error: Mapping[str, Any]) -> str:
    """Return what an error of WhatsApp says: its own words, and what the commonest one means."""
    code = error.get("code")
    if code == _WINDOW_CLOSED:
        return WINDOW_CLOSED
    told = (
        text_within(error, "error_data", "details")
        or text_within(error, "message")
        or text_within(error, "title")
        or "no reason given"
    )
    return f"WhatsApp {code}: {told}"[:300] if isinstance(code, int) else f"WhatsApp: {told}"[:300]


def _file(kind: MessageKind, told: object, quoted: str | None) -> ToldMessage:
    return ToldMessage(
        kind,
        (text_within(told, "caption") or "")[:LONGEST_WORDS],
        quoted,
        name_within(told, "id"),
        name_within(told, "mime_type"),
        name_within(told, "filename"),
    )


def _reaction(message: object, _quoted: str | None) -> ToldMessage:
    emoji = text_within(message, "reaction", "emoji") or ""
    target = name_within(message, "reaction", "message_id")
    return ToldMessage(MessageKind.REACTION, emoji[:LONGEST_WORDS], target)


def _location(message: object, quoted: str | None) -> ToldMessage:
    told = place(within(message, "location"), "name", "address")
    return ToldMessage(MessageKind.LOCATION, told, quoted)


def _unsupported(_message: object, quoted: str | None) -> ToldMessage:
    return ToldMessage(MessageKind.UNSUPPORTED, quoted_id=quoted)


def _edit(message: object, quoted: str | None) -> ToldMessage:
    """What somebody wrote in place of earlier words; a file that came with them stays there."""
    told = within(message, name_within(message, "type") or "")
    original = name_within(told, "original_message_id") or name_within(told, "message_id") or quoted
    content = object_within(told, "message") or object_within({"": told}, "")
    kind = name_within(content, "type") or "text"
    is_nested = kind in _EDITS
    written = None if is_nested else whatsapp_message({"message": {**content, "type": kind}})
    words = "" if written is None else written.text
    shown = MessageKind.TEXT if words else MessageKind.UNSUPPORTED
    return ToldMessage(shown, words, original, is_edit=True)


def _plain(message: object) -> str:
    return text_within(message, "text", "body") or ""


def _button(message: object) -> str:
    return text_within(message, "button", "text") or ""


def _chosen(message: object) -> str:
    chosen = within(message, "interactive")
    kind = name_within(chosen, "type") or ""
    told = within(chosen, kind)
    lines = [text_within(told, name) for name in ("title", "description", "body")]
    return "\n".join(line for line in lines if line)


def _cards(message: object) -> str:
    lines = []
    for card in objects_within(message, "contacts"):
        phones = [name_within(one, "phone") for one in objects_within(card, "phones")]
        told = [text_within(card, "name", "formatted_name"), *phones]
        lines.append(" ".join(part for part in told if part))
    return "\n".join(line for line in lines if line)


_WHOLE: Final[Mapping[str, Callable[[object, str | None], ToldMessage]]] = {
    "reaction": _reaction,
    "location": _location,
    "unsupported": _unsupported,
    "unknown": _unsupported,
    **dict.fromkeys(_EDITS, _edit),
}
_WORDS: Final[Mapping[str, Callable[[object], str]]] = {
    "text": _plain,
    "button": _button,
    "interactive": _chosen,
    "contacts": _cards,
}
