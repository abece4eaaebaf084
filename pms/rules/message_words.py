"""Kinds and states of messages, and their templates."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple


class WebhookSource(StrEnum):
    """Who sends events to a workspace (Inbound webhooks)."""

    OTA = "ota"
    LINE = "line"
    WHATSAPP = "whatsapp"
    PAYMENTS = "payments"
    ESIGN = "esign"
    MAIL = "mail"
    """The workspace's mailbox, which is read; it sends nothing by itself."""


class SecretPurpose(StrEnum):
    """What a webhook secret is for: checking signatures, or answering a provider's handshake."""

    SIGNATURE = "signature"
    HANDSHAKE = "handshake"


class InboundState(StrEnum):
    """The state of an inbound event; `unused` events are of a kind that changes nothing."""

    WAITING = "waiting"
    DONE = "done"
    UNUSED = "unused"
    UNMATCHED = "unmatched"
    SET_ASIDE = "set_aside"
    FAILED = "failed"


class Channel(StrEnum):
    """Where a person's messages come from and answers are sent to."""

    PORTAL = "portal"
    MAIL = "mail"
    LINE = "line"
    WHATSAPP = "whatsapp"
    OTA = "ota"


class ConversationState(StrEnum):
    """Whether a conversation is open."""

    OPEN = "open"
    DONE = "done"


class MessageKind(StrEnum):
    """What a message contains; `unsupported` is content that the channel could not pass on."""

    TEXT = "text"
    IMAGE = "image"
    VIDEO = "video"
    AUDIO = "audio"
    FILE = "file"
    STICKER = "sticker"
    LOCATION = "location"
    REACTION = "reaction"
    UNSUPPORTED = "unsupported"


class MessageState(StrEnum):
    """The state of a message; incoming ones are `received`, outgoing ones start as `waiting`."""

    RECEIVED = "received"
    WAITING = "waiting"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"


class OrderState(StrEnum):
    """The state of a supplier's order."""

    NEW = "new"
    MATCHED = "matched"
    SET_ASIDE = "set_aside"


class OrderDoubt(StrEnum):
    """Why a supplier's order needs a person before it becomes a cost."""

    NO_NUMBER = "no_number"
    UNKNOWN_NUMBER = "unknown_number"
    DONE = "done"
    CANCELLED = "cancelled"
    ELSEWHERE = "elsewhere"
    REPEATED = "repeated"


class LeadState(StrEnum):
    """The state of a job application or partnership lead."""

    NEW = "new"
    IN_TALKS = "in_talks"
    TAKEN_ON = "taken_on"
    DECLINED = "declined"


class LeafletKind(StrEnum):
    """The subject of a leaflet on the website: a job or a service."""

    POSITION = "position"
    SERVICE = "service"


class ContentState(StrEnum):
    """Whether the website shows a piece of content: not yet, scheduled, now, or no longer."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLIC = "public"
    OVER = "over"


class AnsweredBy(StrEnum):
    """What wrote an answer of the assistant."""

    RETRIEVAL = "retrieval"
    MODEL = "model"


_FREE: Final = {Channel.WHATSAPP: timedelta(hours=24)}


def answers_end_at(channel: Channel, last_heard_at: datetime | None) -> datetime | None:
    """Return the instant after which free text is refused; None where it is always accepted.

    Unknown for a person who never wrote on such a channel, so None as well.
    """
    free = _FREE.get(channel)
    return None if free is None or last_heard_at is None else last_heard_at + free


LONGEST_WORDS: Final = 10_000
_LONGEST_IN_A_LIST: Final = 200
_SIGNS: Final[Mapping[MessageKind, str]] = {
    MessageKind.IMAGE: "🖼",
    MessageKind.VIDEO: "🎞",
    MessageKind.AUDIO: "🎤",
    MessageKind.FILE: "📎",
    MessageKind.STICKER: "🙂",
    MessageKind.LOCATION: "📍",
}
_NO_WORDS: Final = "—"
_STEPS: Final = (
    MessageState.WAITING,
    MessageState.SENT,
    MessageState.FAILED,
    MessageState.DELIVERED,
    MessageState.READ,
)


class IncomingMessage(NamedTuple):
    """A message as stored; `media_id` is the provider's name for its file.

    An edit quotes the message whose text it replaces.
    """

    kind: MessageKind
    text: str = ""
    quoted_id: str | None = None
    media_id: str | None = None
    media_type: str | None = None
    media_name: str | None = None
    media_failure: str | None = None
    is_edit: bool = False


def short_words(kind: MessageKind, text: str, name: str | None = None) -> str:
    """Return what a list shows of a message: its text, else a label for its content."""
    words = " ".join((text or name or "").split())[:_LONGEST_IN_A_LIST]
    return " ".join(part for part in (_SIGNS.get(kind), words) if part) or _NO_WORDS


def language_of(text: str) -> str | None:
    """Guess a text's language by its script: kana or kanji are Japanese, letters English.

    None for a text with neither.
    """
    if any("\u3040" <= mark <= "\u30ff" or "\u4e00" <= mark <= "\u9fff" for mark in text):
        return "ja"
    return "en" if any(mark.isascii() and mark.isalpha() for mark in text) else None


def goes_on(state: MessageState, reported: MessageState) -> bool:
    """Tell whether a reported state moves a message forward; it never goes back.

    A failed message may still be delivered; a delivered one can no longer fail.
    """
    return reported in _STEPS and state in _STEPS and _STEPS.index(reported) > _STEPS.index(state)


LONGEST: Final[Mapping[Channel, int]] = {
    Channel.MAIL: 10_000,
    Channel.LINE: 5_000,
    Channel.WHATSAPP: 4_096,
    Channel.OTA: 10_000,
}
"""In characters; LINE counts UTF-16 units, so an emoji is two."""


def length_of(channel: Channel, text: str) -> int:
    """Return the length of a text as its channel counts it."""
    return len(text.encode("utf-16-le")) // 2 if channel is Channel.LINE else len(text)


WINDOW_CLOSED: Final = (
    "WhatsApp passes on free words only within 24 hours of the person's last message, and more"
    " have passed. Wait until they write, or use another channel."
)
NO_REASON: Final = "WhatsApp gives no reason."
KEPT_ELSEWHERE: Final = "The file is kept outside LINE and was not fetched."
NO_PICTURE: Final = "This is no picture that can be read."
EMPTY_FILE: Final = "The file is empty."
TOO_LARGE: Final = "The file is larger than 10 MiB."
MAIL_TOO_LARGE: Final = "The mail is larger than 15 MiB and was not fetched."
MAIL_UNREADABLE: Final = "The mail cannot be read."
MAIL_FILES_LEFT_OUT: Final = "More than 20 files are attached; the rest is in the original mail."
ORIGINAL_GONE: Final = "The original mail is no longer stored."
NO_PROVIDER: Final = "no provider is set any more"
UNREADABLE_SECRET: Final = "the secret cannot be read: set it again"
TOO_SLOW: Final = "too slow"
