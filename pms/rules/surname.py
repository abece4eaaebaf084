"""The part of a name that somebody is greeted by."""

import re
from typing import Final

_LATIN: Final = re.compile(r"[A-Za-z]")


def surname(name: str) -> str:
    """Return the surname of a full name: the first word, the last of one in Latin letters.

    Who cleans or repairs a unit knows an arriving resident by this much (Surfaces).
    """
    words = name.split()
    if not words:
        return ""
    return words[-1] if _LATIN.search(words[-1]) else words[0]
