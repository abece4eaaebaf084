"""Finds which houses and areas a question speaks of, by what is their own in their names."""

import re
from collections.abc import Iterator
from typing import Final

from pms.rules.search_text import fold

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
