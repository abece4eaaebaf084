"""Read the body of a request strictly, field by field, and collect all its problems."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, Final, Literal, Self, TypeVar, overload
from unicodedata import category, normalize

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from pms.catalogue.checks import check_email, check_phone
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.rules.days import FIRST_DAY, LAST_DAY, strict_day
from pms.rules.enumerations import Locale
from pms.rules.provider_json import BadJson, describe_value, read_json
from pms.surfaces.limits import known_key

JSON: Final = "application/json"
LONGEST_EMAIL: Final = 254
LONGEST_PHONE: Final = 50
LONGEST_EXTERNAL_ID: Final = 200
_MOST_PROBLEMS: Final = 20
_LINE_ENDS: Final = frozenset("\n\t")
_INSTANT: Final = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII
)
Word = TypeVar("Word", bound=StrEnum)
Found = TypeVar("Found")
Plain = str | int | float | bool | None


class JsonBody:
    """A JSON object that was sent; unknown fields are ignored, null is treated as not sent.

    Each method records what is wrong with its field, and `finish` raises all problems at once. The
    value returned for an invalid field has no meaning; `finish` keeps it from being used.
    """

    def __init__(
        self, given: Mapping[str, Any], within: str = "", problems: list[str] | None = None
    ) -> None:
        self._given = given
        self._within = within
        self._problems: list[str] = [] if problems is None else problems

    @classmethod
    def read(cls) -> Self:
        """Return the body of the request; raise if it is not a JSON object."""
        # Raise 415 if the content type is not JSON in UTF-8 or the body is encoded.
        charset = request.mimetype_params.get("charset", "utf-8").lower()
        if request.mimetype != JSON or charset not in ("utf-8", "utf8"):
            given = describe_value(request.headers.get("Content-Type", ""))
            raise UnsupportedMediaType(f"Content-Type: '{given}' is not {JSON} in UTF-8.")
        coding = request.headers.get("Content-Encoding", "identity").lower()
        if coding != "identity":
            raise UnsupportedMediaType(
                f"Content-Encoding: '{describe_value(coding)}' is not identity."
            )
        return cls.of(whole_body())

    @classmethod
    def of(cls, raw: bytes) -> Self:
        """Parse the bytes; raise `Refused` if they are not a JSON object."""
        try:
            value = read_json(raw)
        except BadJson as error:
            raise _refusal_of(error.problems) from error
        if not isinstance(value, dict):
            raise Refused(f"The body is {_name_json_kind(value)}, not an object.")
        return cls(value)

    def finish(self) -> None:
        """Raise `Refused` with every problem found, if any."""
        if self._problems:
            raise _refusal_of(self._problems)

    @overload
    def text(self, name: str, most: int, needed: Literal[True]) -> str: ...
    @overload
    def text(self, name: str, most: int, needed: bool = False) -> str | None: ...
    def text(self, name: str, most: int, needed: bool = False) -> str | None:
        """Return a trimmed text in NFC, perhaps of several lines; blank is treated as not sent."""
        return self._read_text(name, most, needed, _LINE_ENDS)

    @overload
    def line(self, name: str, most: int, needed: Literal[True]) -> str: ...
    @overload
    def line(self, name: str, most: int, needed: bool = False) -> str | None: ...
    def line(self, name: str, most: int, needed: bool = False) -> str | None:
        """Return a text of one line."""
        return self._read_text(name, most, needed, frozenset())

    @overload
    def email(self, name: str, needed: Literal[True]) -> str: ...
    @overload
    def email(self, name: str, needed: bool = False) -> str | None: ...
    def email(self, name: str, needed: bool = False) -> str | None:
        """Return a valid email address."""
        return self._check_text(name, LONGEST_EMAIL, needed, check_email)

    def phone(self, name: str) -> str | None:
        """Return a phone number in half width."""
        return self._check_text(name, LONGEST_PHONE, False, check_phone)

    @overload
    def whole(self, name: str, least: int, most: int, needed: Literal[True]) -> int: ...
    @overload
    def whole(self, name: str, least: int, most: int, needed: bool = False) -> int | None: ...
    def whole(self, name: str, least: int, most: int, needed: bool = False) -> int | None:
        """Return a whole number."""
        wanted = f"a whole number from {least} to {most}"
        value = self._take_value(name, needed, wanted)
        # In Python `True` is an int too.
        if type(value) is int and least <= value <= most:
            return value
        if value is not None:
            self.refuse(name, value, wanted)
        return least if needed else None

    def flag(self, name: str) -> bool:
        """Return a boolean; false if it was not sent."""
        value = self._given.get(name)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.refuse(name, value, "true or false")
        return False

    @overload
    def day(self, name: str, needed: Literal[True]) -> date: ...
    @overload
    def day(self, name: str, needed: bool = False) -> date | None: ...
    def day(self, name: str, needed: bool = False) -> date | None:
        """Return a day written YYYY-MM-DD."""
        wanted = f"a day YYYY-MM-DD from {FIRST_DAY} to {LAST_DAY}"
        return self._read_field(name, needed, wanted, strict_day, FIRST_DAY)

    @overload
    def instant(self, name: str, needed: Literal[True]) -> datetime: ...
    @overload
    def instant(self, name: str, needed: bool = False) -> datetime | None: ...
    def instant(self, name: str, needed: bool = False) -> datetime | None:
        """Return an instant in UTC to the second."""
        wanted = "an instant such as 2026-07-01T09:30:00Z"
        return self._read_field(
            name, needed, wanted, _strict_instant, datetime.min.replace(tzinfo=UTC)
        )

    @overload
    def choice(self, name: str, words: type[Word], needed: Literal[True]) -> Word: ...
    @overload
    def choice(self, name: str, words: type[Word], needed: bool = False) -> Word | None: ...
    def choice(self, name: str, words: type[Word], needed: bool = False) -> Word | None:
        """Return a member of the enumeration."""
        known = {word.value: word for word in words}
        wanted = f"one of {', '.join(known)}"
        return self._read_field(name, needed, wanted, known.get, next(iter(words)))

    @overload
    def identity(self, name: str, needed: Literal[True]) -> str: ...
    @overload
    def identity(self, name: str, needed: bool = False) -> str | None: ...
    def identity(self, name: str, needed: bool = False) -> str | None:
        """Return an id, checked for its form only."""
        wanted = "an id of 32 hexadecimal digits"
        return self._read_field(
            name, needed, wanted, lambda text: text if is_id(text) else None, ""
        )

    def locale(self, name: str) -> Locale:
        """Return the requested language, else that of the key's workspace."""
        return self.choice(name, Locale) or Locale(known_key().default_locale)

    def external_id(self) -> str | None:
        """Return `externalId`, the sender's own id of the record."""
        return self.line("externalId", LONGEST_EXTERNAL_ID)

    def items(self, name: str, least: int, most: int) -> "list[JsonBody]":
        """Return a list of objects, whose problems are named as in `items[0].quantity`."""
        wanted = f"a list of {least} to {most} objects"
        value = self._take_value(name, least > 0, wanted)
        if value is None:
            return []
        if not isinstance(value, list) or not least <= len(value) <= most:
            counted = f"a list of {len(value)}" if isinstance(value, list) else value
            self.refuse(name, counted, wanted)
            return []
        bodies = []
        for place, item in enumerate(value):
            if isinstance(item, dict):
                within = f"{self._within}{name}[{place}]."
                bodies.append(JsonBody(item, within, self._problems))
            else:
                self.refuse(f"{name}[{place}]", item, "an object")
        return bodies

    def plain(self, name: str, most_names: int = 20, longest: int = 200) -> dict[str, Plain]:
        """Return an object of texts, numbers, booleans and nulls; empty if it was not sent."""
        wanted = f"an object of at most {most_names} names"
        value = self._take_value(name, False, wanted)
        if value is None:
            return {}
        if not isinstance(value, dict) or len(value) > most_names:
            counted = f"an object of {len(value)}" if isinstance(value, dict) else value
            self.refuse(name, counted, wanted)
            return {}
        inside = JsonBody(value, f"{self._within}{name}.", self._problems)
        return {
            key: inside._read_plain_value(key, longest) for key in value if inside._is_name(key)
        }

    def refuse(self, name: str, value: object, wanted: str) -> None:
        """Record that the value is not what is wanted."""
        self._problems.append(f"{self._within}{name}: '{describe_value(value)}' is not {wanted}.")

    def note(self, name: str, sentence: str) -> None:
        """Record another problem of a field."""
        self._problems.append(f"{self._within}{name}: {sentence}")

    def _take_value(self, name: str, needed: bool, wanted: str) -> Any:
        value = self._given.get(name)
        if value is None and needed:
            self.note(name, f"missing; wanted is {wanted}.")
        return value

    def _read_field(
        self,
        name: str,
        needed: bool,
        wanted: str,
        read: Callable[[str], Found | None],
        in_its_place: Found,
    ) -> Found | None:
        value = self._take_value(name, needed, wanted)
        if value is None:
            return in_its_place if needed else None
        found = read(value) if isinstance(value, str) else None
        if found is None:
            self.refuse(name, value, wanted)
        return found

    def _read_text(self, name: str, most: int, needed: bool, ends: frozenset[str]) -> str | None:
        kind = "a text" if ends else "a line"
        wanted = f"{kind} of {int(needed)} to {most} characters"
        value = self._take_value(name, needed, wanted)
        if value is None:
            return "" if needed else None
        text = _tidy_text(value, most) if isinstance(value, str) else None
        if text is None or len(text) > most:
            found = f"{len(value)} characters" if isinstance(value, str) else value
            self.refuse(name, found, wanted)
        elif any(category(c) in {"Cc", "Cs"} and c not in ends for c in text):
            self.refuse(name, text, f"{kind} without control characters and lone surrogates")
        elif needed and not text:
            self.note(name, f"missing; wanted is {wanted}.")
        return text or ("" if needed else None)

    def _check_text(
        self,
        name: str,
        most: int,
        needed: bool,
        check: Callable[[str, str | None], str | None],
    ) -> str | None:
        problems_before = len(self._problems)
        text = self.line(name, most, needed)
        if text is None or len(self._problems) > problems_before:
            return text
        try:
            return check(name, text)
        except Refused as refusal:
            self._problems.append(self._within + refusal.message)
            return text

    def _read_plain_value(self, name: str, longest: int) -> Plain:
        value = self._given[name]
        if isinstance(value, str):
            return self.text(name, longest)
        if isinstance(value, list | dict):
            self.refuse(name, value, "a text, a number, true, false or null")
            return None
        kept: Plain = value
        return kept

    def _is_name(self, name: str) -> bool:
        if 0 < len(name) <= 60 and name.isprintable():
            return True
        self.refuse(describe_value(name), f"{len(name)} characters", "a printable name of 1 to 60")
        return False


def whole_body() -> bytes:
    """Return the bytes of the request; raise 413 if they exceed the address's limit."""
    most = request.max_content_length
    try:
        return request.get_data()
    except RequestEntityTooLarge as error:
        raise RequestEntityTooLarge(f"The body is larger than {most} bytes.") from error


def _refusal_of(problems: "list[str] | tuple[str, ...]") -> Refused:
    lines = list(problems[:_MOST_PROBLEMS])
    if len(problems) > _MOST_PROBLEMS:
        lines.append(f"And {len(problems) - _MOST_PROBLEMS} more.")
    return Refused(" ".join(lines))


def _tidy_text(text: str, most: int) -> str | None:
    # A text that is far too long is not worth normalizing.
    if len(text) > 4 * most + 1_000:
        return None
    ended = text.replace("\r\n", "\n").replace("\r", "\n")
    return normalize("NFC", ended).strip()


def _strict_instant(text: str) -> datetime | None:
    if not _INSTANT.fullmatch(text):
        return None
    try:
        instant = datetime.fromisoformat(text).astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError):
        return None
    return instant if FIRST_DAY <= instant.date() <= LAST_DAY else None


def _name_json_kind(value: object) -> str:
    return {list: "a list", str: "a text", type(None): "null", bool: "true or false"}.get(
        type(value), "a number"
    )
