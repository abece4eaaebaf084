"""Finds which of the names a question speaks of: houses, areas and room numbers."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pms.rules.checked_reply import room_names
from pms.rules.search_text import fold
from pms.rules.told_days import plain

_EVERYDAY: Final = re.compile(
    r"しぇあはうす|あぱーと(?:めんと)?|まんしょん|れじでんす|はうす|こーぽ|はいつ|めぞん"
    r"|\b(?:share ?house|apartments?|house|residence|mansion|court|the|room|unit)\b"
)
_LEAST_JAPANESE: Final = 2
_LEAST_LATIN: Final = 3


def is_named(name: str, question: str) -> bool:
    """Whether a question speaks of a house or an area by its name or what is its own in it."""
    asked = fold(question)
    return any(_stands_in(part, asked) for part in _own_parts(name))


def named_rooms(names: Iterable[str], question: str) -> frozenset[str]:
    """Return the room numbers among these that a question names."""
    told = {name for name, _ in room_names(plain(question))}
    return frozenset(name for name in names if plain(name) in told)


def names_a_room(question: str) -> bool:
    """Whether a question surely names a room, be it ours or not."""
    return any(is_sure for _, is_sure in room_names(plain(question)))


def _own_parts(name: str) -> Iterator[str]:
    folded = fold(name)
    yield folded
    for part in re.split(r"[\s・()]+", _EVERYDAY.sub(" ", folded)):
        least = _LEAST_LATIN if part.isascii() else _LEAST_JAPANESE
        if len(part) >= least and not part.isdecimal():
            yield part


def _stands_in(part: str, asked: str) -> bool:
    if not part:
        return False
    if part.isascii():
        return re.search(rf"(?<![a-z0-9]){re.escape(part)}(?![a-z0-9])", asked) is not None
    return part in asked
