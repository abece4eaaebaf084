"""The room in a file's name: "203_kitchen.jpg" shows room 203."""

import re
from collections.abc import Mapping
from typing import Final
from unicodedata import normalize

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
