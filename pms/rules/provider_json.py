"""JSON of providers, read strictly."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from json import dumps
from math import isfinite
from typing import Any, Final, NamedTuple


class ProviderEvent(NamedTuple):
    """One event: `key` identifies it in whatever delivery it arrives.

    `body` holds all that is needed to process it later; `occurred_at` is the provider's instant.
    """

    key: str
    kind: str
    body: Mapping[str, Any]
    occurred_at: datetime | None = None


_DEEPEST: Final = 32
_LONGEST_NAME: Final = 200
_LONGEST_KIND: Final = 80
_LAST_SECOND: Final = 7_258_118_400
"""The end of the range of instants: the beginning of the year 2200."""


def storable(value: object, depth: int = 0) -> Any:
    """Return JSON that any database can store: no NUL, no lone surrogate, no infinite number.

    Raises `ValueError` for data nested more deeply than is plausible.
    """
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, Mapping):
        return {storable_text(str(name)): storable(part, depth + 1) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [storable(part, depth + 1) for part in value]
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or isinstance(value, bool | int) else str(type(value).__name__)


def storable_text(text: str) -> str:
    """Return a text with a replacement for characters that a database cannot store."""
    return (
        text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def within(value: object, *names: str) -> object:
    """Return the value under a path of names; None where the path ends."""
    for name in names:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def object_within(value: object, *names: str) -> Mapping[str, Any]:
    """Return the object under a path of names, {} where there is none."""
    found = within(value, *names)
    return found if isinstance(found, Mapping) else {}


def objects_within(value: object, *names: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list under a path of names."""
    found = within(value, *names)
    return [part for part in found if isinstance(part, Mapping)] if isinstance(found, list) else []


def text_within(value: object, *names: str) -> str | None:
    """Return the text under a path of names; None when blank."""
    found = within(value, *names)
    return found if isinstance(found, str) and found.strip() else None


def name_within(value: object, *names: str) -> str | None:
    """Return a provider's identifier under a path of names: one short line, or a number."""
    found = within(value, *names)
    if isinstance(found, int) and not isinstance(found, bool) and abs(found) < 10**40:
        found = str(found)
    if not isinstance(found, str) or not found.isprintable():
        return None
    return found if len(found.strip()) > 0 and len(found) <= _LONGEST_NAME else None


def kind_of(*parts: str | None) -> str:
    """Return the name of a kind as stored and shown: `message.text`."""
    return ".".join(part or "unknown" for part in parts)[:_LONGEST_KIND]


def instant_of(seconds: object) -> datetime | None:
    """Return the instant `seconds` after 1970, to the second."""
    if isinstance(seconds, str) and seconds.isascii() and seconds.isdigit() and len(seconds) < 12:
        seconds = int(seconds)
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        return None
    return datetime.fromtimestamp(int(seconds), UTC) if 0 <= seconds < _LAST_SECOND else None


def fingerprint(value: object) -> str:
    """Return a key for an event to which the provider gave none."""
    written = dumps(value, sort_keys=True, ensure_ascii=True)
    return sha256(written.encode()).hexdigest()


MOST_LEVELS: Final = 32
LEAST_WHOLE: Final = -(2**63)
MOST_WHOLE: Final = 2**63 - 1
_MOST_DIGITS: Final = 20
_MOST_SHOWN: Final = 60
# An unterminated string runs to the end, so nothing is scanned twice.
_TEXTS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_STEPS: Final = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}
_BESIDE: Final = bytes(code for code in range(256) if code not in _STEPS)


class BadJson(ValueError):
    """Why a text is not accepted as JSON; each problem is a sentence."""

    def __init__(self, *problems: str) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class _NoNumber:
    """A number that cannot be stored exactly as written."""

    def __init__(self, text: str) -> None:
        self.text = text


class _Repeating(dict[str, Any]):
    """An object with a repeated name."""

    names: Sequence[str] = ()


def read_json(raw: bytes) -> Any:
    """Parse bytes as JSON, or raise `BadJson` with every problem found."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise BadJson(f"The body is not valid UTF-8 at octet {error.start}.") from error
    if _is_too_deep(raw):
        raise BadJson(f"The body is nested deeper than {MOST_LEVELS} levels.")
    reading = _Reading()
    try:
        value = json.loads(
            text,
            object_pairs_hook=reading.an_object,
            parse_int=reading.whole,
            parse_float=reading.fraction,
            parse_constant=reading.no_number,
        )
    except json.JSONDecodeError as error:
        raise BadJson(f"The body is not JSON: {error.msg} at character {error.pos}.") from error
    if reading.is_odd:
        raise BadJson(*_find_oddities(value, ""))
    return value


def describe_value(value: object) -> str:
    """Return the part of a value that an error message repeats."""
    match value:
        case None | bool():
            return json.dumps(value)
        case list():
            return "a list"
        case dict():
            return "an object"
    text = str(value)
    kept = "".join(c if c.isprintable() else "\ufffd" for c in text[:_MOST_SHOWN])
    return f"{kept}…" if len(text) > _MOST_SHOWN else kept


class _Reading:
    """Collects oddities while parsing; their places are searched only if there are any."""

    def __init__(self) -> None:
        self.is_odd = False

    def an_object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) == len(pairs):
            return members
        self.is_odd = True
        repeating, seen = _Repeating(members), set[str]()
        repeating.names = [n for n, _ in pairs if n in seen or seen.add(n)]  # type: ignore[func-returns-value]
        return repeating

    def whole(self, text: str) -> object:
        if len(text) <= _MOST_DIGITS and LEAST_WHOLE <= int(text) <= MOST_WHOLE:
            return int(text)
        return self.no_number(text)

    def fraction(self, text: str) -> object:
        number = float(text)
        return number if isfinite(number) else self.no_number(text)

    def no_number(self, text: str) -> _NoNumber:
        self.is_odd = True
        return _NoNumber(text)


def _is_too_deep(raw: bytes) -> bool:
    level = 0
    for bracket in _TEXTS.sub(b"", raw).translate(None, _BESIDE):
        level += _STEPS[bracket]
        if level > MOST_LEVELS:
            return True
    return False


def _find_oddities(value: object, path: str) -> Iterator[str]:
    """Yield the oddities of a value; its depth was checked before."""
    if isinstance(value, _NoNumber):
        wanted = f"a number; whole ones are from {LEAST_WHOLE} to {MOST_WHOLE}"
        yield f"{path or 'The body'}: '{describe_value(value.text)}' is not {wanted}."
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _find_oddities(item, f"{path}[{place}]")
    elif isinstance(value, dict):
        before = f"{path}." if path else ""
        if isinstance(value, _Repeating):
            for name in dict.fromkeys(value.names):
                yield f"{before}{describe_value(name)}: given more than once."
        for name, item in value.items():
            yield from _find_oddities(item, f"{before}{describe_value(name)}")
