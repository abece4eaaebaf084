"""How an e-mail address is told from another."""

import re
import unicodedata
from typing import Final

_LONGEST: Final = 254
_ADDRESS: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")


def folded_address(text: str) -> str:
    """Return an address as it is compared: any width and case is the same address."""
    return unicodedata.normalize("NFKC", text).strip().casefold()


def is_address(text: str) -> bool:
    """Tell whether a folded text could be an e-mail address at all."""
    is_shaped = len(text) <= _LONGEST and _ADDRESS.fullmatch(text) is not None
    return is_shaped and text.isprintable()
