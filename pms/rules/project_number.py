"""How a maintenance project is called: `PRJ-0042` (specification, Resource overview)."""

import re
import unicodedata
from typing import Final

_SPOKEN: Final = re.compile(r"(?:PRJ)?[-\s]?0*([1-9][0-9]{0,8})", re.IGNORECASE)
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—―−ー"), "-")


def project_number(number: int) -> str:
    """Return the name of a project's number; from 10,000 on it has more digits."""
    return f"PRJ-{number:04}"


def read_project_number(text: str) -> int | None:
    """Return the number somebody typed: PRJ-0042, prj42, 42, of any width; else None."""
    typed = unicodedata.normalize("NFKC", text).translate(_DASHES).strip()
    found = _SPOKEN.fullmatch(typed)
    return int(found[1]) if found else None
