"""Reads JSON strictly: UTF-8, no name twice, no NaN, numbers of 64 bits, 32 levels at most."""

import json
import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any, Final

MOST_LEVELS: Final = 32
LEAST_WHOLE: Final = -(2**63)
MOST_WHOLE: Final = 2**63 - 1
_MOST_DIGITS: Final = 20
_MOST_SHOWN: Final = 60
# A text without an end is one to the end, so nothing is ever read twice.
_TEXTS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_STEPS: Final = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}
_BESIDE: Final = bytes(code for code in range(256) if code not in _STEPS)


class BadJson(ValueError):
    """What makes a text no JSON that is taken here; each problem is a sentence."""

    def __init__(self, *problems: str) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class _NoNumber:
    """A number that no program keeps as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text


class _Repeating(dict[str, Any]):
    """An object that gave some name more than once."""

    names: Sequence[str] = ()


def read_json(raw: bytes) -> Any:
    """Return what the octets say, or raise `BadJson` with every reason there is."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise BadJson(f"The body is not valid UTF-8 at octet {error.start}.") from error
    if _is_too_deep(raw):
        raise BadJson(f"The body is nested deeper than {MOST_LEVELS} levels.")
    reading = _Reading()
    try:
        told = json.loads(
            text,
            object_pairs_hook=reading.an_object,
            parse_int=reading.whole,
            parse_float=reading.fraction,
            parse_constant=reading.no_number,
        )
    except json.JSONDecodeError as error:
        raise BadJson(f"The body is not JSON: {error.msg} at character {error.pos}.") from error
    if reading.is_odd:
        raise BadJson(*_oddities(told, ""))
    return told


def shown(value: object) -> str:
    """Return as much of what was sent as a refusal repeats."""
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
    """Marks what is odd while a text is read; where it stood is looked for only then."""

    def __init__(self) -> None:
        self.is_odd = False

    def an_object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        told = dict(pairs)
        if len(told) == len(pairs):
            return told
        self.is_odd = True
        repeating, seen = _Repeating(told), set[str]()
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


def _oddities(told: object, path: str) -> Iterator[str]:
    """As deep as a body may be nested, so never too deep to walk."""
    if isinstance(told, _NoNumber):
        wanted = f"a number; whole ones are from {LEAST_WHOLE} to {MOST_WHOLE}"
        yield f"{path or 'The body'}: '{shown(told.text)}' is not {wanted}."
    elif isinstance(told, list):
        for place, one in enumerate(told):
            yield from _oddities(one, f"{path}[{place}]")
    elif isinstance(told, dict):
        before = f"{path}." if path else ""
        if isinstance(told, _Repeating):
            for name in dict.fromkeys(told.names):
                yield f"{before}{shown(name)}: given more than once."
        for name, one in told.items():
            yield from _oddities(one, f"{before}{shown(name)}")
