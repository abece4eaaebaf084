"""Names of places and rooms, and their order."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from pms.rules.enumerations import ProjectState
from pms.rules.message_words import OrderDoubt
from pms.rules.search_text import fold

_KNOWN_BYTES: Final = 16


class NamedProject(NamedTuple):
    """The project that an order names: its state and its building's id."""

    state: ProjectState
    building_id: str


def doubt_of_order(
    number: int | None, project: NamedProject | None, building_id: str | None, *, is_repeated: bool
) -> OrderDoubt | None:
    """Return why an order needs review, None when its cost surely belongs to the named project.

    A repeated order may only mean that the first answer was lost, so its cost is never counted
    automatically. A building other than the project's contradicts the number.
    """
    if number is None:
        return OrderDoubt.NO_NUMBER
    if project is None:
        return OrderDoubt.UNKNOWN_NUMBER
    if project.state is ProjectState.DONE:
        return OrderDoubt.DONE
    if project.state is ProjectState.CANCELLED:
        return OrderDoubt.CANCELLED
    if building_id is not None and building_id != project.building_id:
        return OrderDoubt.ELSEWHERE
    return OrderDoubt.REPEATED if is_repeated else None


def known_order(supplier: str, order_number: str) -> str:
    """Return the key of a supplier's order, however supplier and number were typed.

    Width, case, blanks and the kind of dash make no difference.
    """
    # Folded texts have no fixed length, so their digest is the key.
    typed = "\n".join("".join(fold(text).split()) for text in (supplier, order_number))
    return blake2b(typed.encode(), digest_size=_KNOWN_BYTES).hexdigest()


_EVERYDAY: Final = re.compile(
    r"しぇあはうす|あぱーと(?:めんと)?|まんしょん|れじでんす|はうす|こーぽ|はいつ|めぞん"
    r"|\b(?:share ?house|apartments?|house|residence|mansion|court|the|room|unit)\b"
)
_LEAST_JAPANESE: Final = 2
_LEAST_LATIN: Final = 3


def is_named(name: str, question: str) -> bool:
    """Whether a question mentions a building or area by its name or a distinctive part of it."""
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


_NUMERALS: Final = "〇一二三四五六七八九十零"
# What precedes or follows a word for a room is read as its name.
_ROOM: Final = re.compile(
    r"(?:\b(?:room|unit|apartment|apt|flat|suite)s?\.? ?(?:no\.?|number|#)? ?|#)"
    r"(?P<after>[a-z]{0,3}-?\d[a-z\d-]*|(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|twenty|thirty|hundred)\b[a-z -]*)"
    rf"|(?P<before>[a-z\d{_NUMERALS}-]*[\d{_NUMERALS}][a-z\d{_NUMERALS}-]*) ?号"
)
# A number with a unit is no room: 102 yen, 102 minutes.
_MEASURE: Final = (
    r"(?! ?(?:円|万|千|yen|jpy|%|㎡|m2|m²|平|分|minutes?|min\b|時|hours?|日|days?|月|months?|年|years?"
    r"|か月|け月|ヶ月|階|人|people|persons?|件|部屋|つ|rooms?|units?|台|km|m\b|駅|線|丁目|番|[/:]\d))"
)


class RoomsNamed(NamedTuple):
    """The rooms of ours that a text names, and whether it names a room that does not exist."""

    names: frozenset[str]
    has_unknown: bool


class RoomNames:
    """The names of all rooms, indexed for search."""

    def __init__(self, names: Iterable[str]) -> None:
        self._known: dict[str, set[str]] = {}
        for name in names:
            for way in _ways(name):
                self._known.setdefault(way, set()).add(name)
        self._pattern = _pattern(tuple(sorted(self._known, key=lambda way: (-len(way), way))))

    def named_in(self, text: str) -> RoomsNamed:
        """Return the rooms named in a text; width, case and dashes make no difference."""
        folded = fold(text)
        found: set[str] = set()
        has_unknown = False
        for match in _ROOM.finditer(folded):
            way = (match["after"] or match["before"]).strip(" -")
            if way in self._known:
                found |= self._known[way]
            else:
                has_unknown = True
        if self._pattern is not None:
            for match in self._pattern.finditer(folded):
                found |= self._known[match.group()]
        return RoomsNamed(frozenset(found), has_unknown)


def _ways(name: str) -> set[str]:
    folded = fold(name)
    return {folded, folded.replace("-", ""), folded.replace("-", " ")} - {""}


@lru_cache(maxsize=64)
def _pattern(ways: tuple[str, ...]) -> re.Pattern[str] | None:
    # A single letter occurs in every sentence: it is a room only next to a word for a room.
    alternatives = [
        re.escape(way) + (_MEASURE if way.isdecimal() else "") for way in ways if len(way) > 1
    ]
    if not alternatives:
        return None
    return re.compile(rf"(?<![a-z\d.,¥/-])(?:{'|'.join(alternatives)})(?![a-z\d]|[,.]\d)")
