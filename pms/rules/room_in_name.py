"""Which room a file's name speaks of: "203_kitchen.jpg" shows room 203."""

import re
from collections.abc import Mapping
from typing import Final
from unicodedata import normalize

_WORDS: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_DIGITS: Final = re.compile(r"\d+")


def room_in_name(file_name: str, rooms: Mapping[str, str]) -> str | None:
    """Return what a room stands for, when the name holds one of them; `None` when it holds several.

    `rooms` are by key as `room_key` makes it. Words count first, whole; then digits alone, so that
    "B203" is room B203 where there is one and else room 203.
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
