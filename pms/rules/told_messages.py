"""What a person's message on a channel holds, whichever provider passed it on."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from pms.rules.channel_words import MessageKind, MessageState

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


class ToldMessage(NamedTuple):
    """A message as it is kept; `media_id` is what the provider gives its file for.

    An edit quotes the message whose words it replaces.
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
    """Return what a list shows of a message: its words, else a sign of what it holds."""
    words = " ".join((text or name or "").split())[:_LONGEST_IN_A_LIST]
    return " ".join(part for part in (_SIGNS.get(kind), words) if part) or _NO_WORDS


def language_of(text: str) -> str | None:
    """Guess the language of words by their script: kana or kanji are Japanese, letters English.

    Words without either tell nothing.
    """
    if any("\u3040" <= mark <= "\u30ff" or "\u4e00" <= mark <= "\u9fff" for mark in text):
        return "ja"
    return "en" if any(mark.isascii() and mark.isalpha() for mark in text) else None


def goes_on(state: MessageState, told: MessageState) -> bool:
    """Tell whether what a provider tells leads on: a message never goes back.

    One that failed may still arrive; one that arrived cannot fail any more.
    """
    return told in _STEPS and state in _STEPS and _STEPS.index(told) > _STEPS.index(state)
