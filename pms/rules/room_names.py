"""Finds the names of rooms in a text, and rooms that are spoken of and are none of ours."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from pms.rules.search_text import fold

_NUMERALS: Final = "〇一二三四五六七八九十零"
# What comes before or after a word for a room is meant as its name.
_ROOM: Final = re.compile(
    r"(?:\b(?:room|unit|apartment|apt|flat|suite)s?\.? ?(?:no\.?|number|#)? ?|#)"
    r"(?P<after>[a-z]{0,3}-?\d[a-z\d-]*|(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|twenty|thirty|hundred)\b[a-z -]*)"
    rf"|(?P<before>[a-z\d{_NUMERALS}-]*[\d{_NUMERALS}][a-z\d{_NUMERALS}-]*) ?号"
)
# A number that counts something is no room; 102 yen, 102 minutes.
_MEASURE: Final = (
    r"(?! ?(?:円|万|千|yen|jpy|%|㎡|m2|m²|平|分|minutes?|min\b|時|hours?|日|days?|月|months?|年|years?"
    r"|か月|け月|ヶ月|階|人|people|persons?|件|部屋|つ|rooms?|units?|台|km|m\b|駅|線|丁目|番|[/:]\d))"
)


class RoomsNamed(NamedTuple):
    """The names of ours that a text holds, and whether it speaks of a room that is not ours."""

    names: frozenset[str]
    has_unknown: bool


class RoomNames:
    """The names of all rooms, ready to be looked for."""

    def __init__(self, names: Iterable[str]) -> None:
        self._known: dict[str, set[str]] = {}
        for name in names:
            for way in _ways(name):
                self._known.setdefault(way, set()).add(name)
        self._pattern = _pattern(tuple(sorted(self._known, key=lambda way: (-len(way), way))))

    def named_in(self, text: str) -> RoomsNamed:
        """Return what a text says of rooms; width, case and dashes make no difference."""
        told = fold(text)
        found: set[str] = set()
        has_unknown = False
        for match in _ROOM.finditer(told):
            way = (match["after"] or match["before"]).strip(" -")
            if way in self._known:
                found |= self._known[way]
            else:
                has_unknown = True
        if self._pattern is not None:
            for match in self._pattern.finditer(told):
                found |= self._known[match.group()]
        return RoomsNamed(frozenset(found), has_unknown)


def _ways(name: str) -> set[str]:
    folded = fold(name)
    return {folded, folded.replace("-", ""), folded.replace("-", " ")} - {""}


@lru_cache(maxsize=64)
def _pattern(ways: tuple[str, ...]) -> re.Pattern[str] | None:
    # One letter stands in every sentence: it is a room beside a word for one alone.
    alternatives = [
        re.escape(way) + (_MEASURE if way.isdecimal() else "") for way in ways if len(way) > 1
    ]
    if not alternatives:
        return None
    return re.compile(rf"(?<![a-z\d.,¥/-])(?:{'|'.join(alternatives)})(?![a-z\d]|[,.]\d)")
