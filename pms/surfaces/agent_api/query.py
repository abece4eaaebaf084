"""Read the parameters of a request strictly and collect all their problems."""

from datetime import date
from enum import StrEnum
from typing import TypeVar
from unicodedata import normalize
from urllib.parse import unquote_to_bytes

from flask import request

from pms.foundation.errors import Refused
from pms.foundation.lists import Paging
from pms.rules.days import FIRST_DAY, LAST_DAY, strict_day

MOST = 2**63 - 1
_LONGEST_TEXT = 200
_SHOWN = 60
_LONGEST_LIST = 2_000
_MOST_WORDS = 100
Word = TypeVar("Word", bound=StrEnum)


class Query:
    """The parameters of the request; unknown ones are ignored, known ones may be given once.

    A caller that caches the result passes the `query_string` it was read from.
    """

    def __init__(self, query_string: bytes | None = None) -> None:
        self._problems: list[str] = []
        if not _is_utf8(request.query_string if query_string is None else query_string):
            raise Refused("The query is not valid UTF-8.")
        # Only after the check: bytes that are not UTF-8 cannot be parsed.
        self._given = request.args

    def finish(self) -> None:
        """Raise `Refused` with every problem found, if any."""
        if self._problems:
            raise Refused(" ".join(self._problems))

    def text(self, name: str) -> str | None:
        """Return a trimmed text in NFC; blank is treated as not sent."""
        return self._read_text(name) or None

    def words(self, plural: str, singular: str) -> tuple[str, ...]:
        """Return a comma-separated list; the plural parameter is used unless it is empty."""
        return self._read_words(plural) or self._read_words(singular)

    def flag(self, name: str) -> bool:
        """Whether the parameter is "true"; any other value is false."""
        self._refuse_repetition(name)
        return self._given.get(name) == "true"

    def whole_number(self, name: str, least: int = 0, most: int = MOST) -> int | None:
        """Return a whole number in ASCII digits, or `None` if it was not sent."""
        text = self._given.get(name)
        if text is None:
            return None
        self._refuse_repetition(name)
        if text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most:
            return int(text)
        self.refuse(name, text, f"a whole number from {least} to {most}")
        return None

    def day(self, name: str) -> date | None:
        """Return a day written YYYY-MM-DD, or `None` if it was not sent."""
        text = self._given.get(name)
        if text is None:
            return None
        self._refuse_repetition(name)
        day = strict_day(text)
        if day is None:
            self.refuse(name, text, f"a day YYYY-MM-DD from {FIRST_DAY} to {LAST_DAY}")
        return day

    def choice(self, name: str, words: type[Word]) -> Word | None:
        """Return a member of the enumeration, or `None` if it was not sent."""
        text = self._given.get(name)
        if text is None:
            return None
        self._refuse_repetition(name)
        if text in {word.value for word in words}:
            return words(text)
        self.refuse(name, text, f"one of {', '.join(words)}")
        return None

    def paging(self, default: int, most: int) -> Paging:
        """Return the requested page; a too large limit is clamped (specification, Limits)."""
        page = self.whole_number("page", least=1)
        limit = self.whole_number("limit", least=1)
        return Paging(page or 1, min(limit or default, most))

    def raw(self, name: str) -> str | None:
        """Return a trimmed text in NFC, also when it is blank, or `None` if it was not sent."""
        return self._read_text(name)

    def refuse(self, name: str, text: str, wanted: str) -> None:
        """Record that a parameter's text is not what is wanted."""
        shown = "".join(c if c.isprintable() else "\ufffd" for c in text[:_SHOWN])
        self._problems.append(f"{name}: '{shown}' is not {wanted}.")

    def _read_words(self, name: str) -> tuple[str, ...]:
        text = self._read_text(name, _LONGEST_LIST) or ""
        words = tuple(word for word in map(str.strip, text.split(",")) if word)
        if len(words) > _MOST_WORDS:
            self.refuse(name, text, f"a list of at most {_MOST_WORDS}")
        return words

    def _read_text(self, name: str, longest: int = _LONGEST_TEXT) -> str | None:
        text = self._given.get(name)
        if text is None:
            return None
        self._refuse_repetition(name)
        if "\0" in text or len(text) > longest:
            self.refuse(name, text, f"a text of at most {longest} characters without NUL")
        return normalize("NFC", text).strip()

    def _refuse_repetition(self, name: str) -> None:
        if len(self._given.getlist(name)) > 1:
            self._problems.append(f"{name}: given more than once.")


def _is_utf8(query: bytes) -> bool:
    if query.isascii() and b"%" not in query:
        return True
    try:
        unquote_to_bytes(query.decode("latin-1").encode("latin-1")).decode()
    except UnicodeDecodeError:
        return False
    return True
