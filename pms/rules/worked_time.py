"""Reads how long somebody worked, the way people write it: 2, 2.5, 1:30, 90分, 1時間30分."""

import re
import unicodedata
from fractions import Fraction
from typing import Final

_HOURS: Final = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)\s*(?:h|hours?|時間)?")
_CLOCK: Final = re.compile(r"(\d{1,3}):([0-5]\d)")
_BOTH: Final = re.compile(r"(\d{1,3})\s*(?:h|hours?|時間)\s*(\d{1,3})\s*(?:m|min|minutes?|分)")
_MINUTES: Final = re.compile(r"(\d{1,4})\s*(?:m|min|minutes?|分)")


def read_worked_minutes(text: str) -> int | None:
    """Return the minutes of a time worked, rounded up to a whole one; None for no such time.

    A number alone is hours; digits and marks of full width are read as those of half width.
    """
    typed = unicodedata.normalize("NFKC", text).strip().lower()
    if found := _HOURS.fullmatch(typed):
        return -int(-(Fraction(found[1]) * 60) // 1)
    if found := _CLOCK.fullmatch(typed) or _BOTH.fullmatch(typed):
        return int(found[1]) * 60 + int(found[2])
    if found := _MINUTES.fullmatch(typed):
        return int(found[1])
    return None


def plain_hours(minutes: int) -> str:
    """Return minutes as they are typed into a field: 2, or 1:30."""
    hours, rest = divmod(minutes, 60)
    return f"{hours}:{rest:02}" if rest else str(hours)
