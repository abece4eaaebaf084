"""Names of buildings and rooms: which spellings are the same, ranges of rooms, rooms in names of files."""

import re
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple
from unicodedata import normalize


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


def rooms_named(text: str) -> RoomList:
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
    return next((one for one in following if one not in taken), "")


_WORDS: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_DIGITS: Final = re.compile(r"\d+")


def room_in_name(file_name: str, rooms: Mapping[str, str]) -> str | None:
    """Return the value of the room in a file's name; `None` without one or with several.

    `rooms` are by key as `room_key` makes it. Whole words are compared first, then digits alone, so
    "B203" is room B203 if it exists and else room 203.
    """
    name = normalize("NFKC", file_name.rpartition(".")[0] or file_name).upper()
    for found in (_WORDS.findall(name), _pieces(name), _DIGITS.findall(name)):
        met = {
            rooms[word.removesuffix("号室")] for word in found if word.removesuffix("号室") in rooms
        }
        if met:
            return met.pop() if len(met) == 1 else None
    return None


def _pieces(name: str) -> list[str]:
    """Words cut at hyphens: "203-1" is the first picture of 203."""
    return [piece for word in _WORDS.findall(name) for piece in word.split("-")]
