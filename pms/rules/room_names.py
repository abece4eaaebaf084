"""Names of buildings and rooms: which spellings are the same, ranges of rooms, rooms named in texts and files."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.rules.search_text import fold


def building_key(name: str) -> str:
    """Return what buildings of the same name share: NFKC, no blanks, no case."""
    return "".join(normalize("NFKC", name).casefold().split())


def room_key(name: str) -> str:
    """Return what rooms of the same number share: NFKC, no blanks, capitals, without 号室."""
    return "".join(normalize("NFKC", name).upper().split()).removesuffix("号室")


MOST_ROOMS: Final = 200
_PARTS: Final = re.compile(r"[,、;\s]+")
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—―−ー~〜～"), "-")
_AROUND_DASH: Final = re.compile(r"\s*-\s*")
_RANGE: Final = re.compile(r"(\D*?)(\d{1,6})(\D*)-(\D*?)(\d{1,6})(\D*)")
_LAST_NUMBER: Final = re.compile(r"(.*?)(\d{1,6})(\D*)")


class RoomList(NamedTuple):
    """The names in order, each once; `unread` is the first part that is no range."""

    names: tuple[str, ...]
    unread: str | None = None


def read_room_names(text: str) -> RoomList:
    """Return the rooms that a text names; a range ascends and keeps letters and zeros.

    "A-1" is one room: a range has a number at both ends.
    """
    plain = _AROUND_DASH.sub("-", normalize("NFKC", text).translate(_DASHES))
    names: dict[str, None] = {}
    for part in filter(None, _PARTS.split(plain.strip())):
        found = _RANGE.fullmatch(part)
        named = [part] if found is None else _in_range(found)
        if not named or len(names) + len(named) > MOST_ROOMS:
            return RoomList(tuple(names), part)
        names.update(dict.fromkeys(named))
    return RoomList(tuple(names))


def _in_range(found: re.Match[str]) -> list[str]:
    """Return the names of a range; empty when its ends do not match."""
    before, first, after, before_last, last, after_last = found.groups()
    are_alike = before_last in ("", before) and after in ("", after_last)
    count = int(last) - int(first) + 1
    if not are_alike or not 0 < count <= MOST_ROOMS:
        return []
    return [
        f"{before}{number:0{len(first)}}{after_last}" for number in range(int(first), int(last) + 1)
    ]


def next_room(name: str, taken: Collection[str]) -> str:
    """Return the next name that is not taken: 102 after 101, A-10 after A-09.

    Empty for a name that does not end in a number.
    """
    found = _LAST_NUMBER.fullmatch(name)
    if found is None:
        return ""
    before, number, after = found.groups()
    following = (
        f"{before}{int(number) + step:0{len(number)}}{after}" for step in range(1, MOST_ROOMS + 1)
    )
    return next((candidate for candidate in following if candidate not in taken), "")


_WORDS: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_DIGITS: Final = re.compile(r"\d+")


def room_in_name(file_name: str, rooms: Mapping[str, str]) -> str | None:
    """Return the value of the room in a file's name; `None` without one or with several.

    `rooms` are by key as `room_key` makes it. Whole words are compared first, then digits alone, so
    "B203" is room B203 if it exists and else room 203.
    """
    name = normalize("NFKC", file_name.rpartition(".")[0] or file_name).upper()
    for found in (_WORDS.findall(name), _split_at_hyphens(name), _DIGITS.findall(name)):
        matches = {
            rooms[word.removesuffix("号室")] for word in found if word.removesuffix("号室") in rooms
        }
        if matches:
            return matches.pop() if len(matches) == 1 else None
    return None


def _split_at_hyphens(name: str) -> list[str]:
    """Words cut at hyphens: "203-1" is the first picture of 203."""
    return [piece for word in _WORDS.findall(name) for piece in word.split("-")]


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
            for way in _list_spellings(name):
                self._known.setdefault(way, set()).add(name)
        self._pattern = _build_pattern(tuple(sorted(self._known, key=lambda way: (-len(way), way))))

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


def _list_spellings(name: str) -> set[str]:
    folded = fold(name)
    return {folded, folded.replace("-", ""), folded.replace("-", " ")} - {""}


@lru_cache(maxsize=64)
def _build_pattern(ways: tuple[str, ...]) -> re.Pattern[str] | None:
    # A single letter occurs in every sentence: it is a room only next to a word for a room.
    alternatives = [
        re.escape(way) + (_MEASURE if way.isdecimal() else "") for way in ways if len(way) > 1
    ]
    if not alternatives:
        return None
    return re.compile(rf"(?<![a-z\d.,¥/-])(?:{'|'.join(alternatives)})(?![a-z\d]|[,.]\d)")
