"""Account numbers where a person only has to recognise them: their last digits."""

import re
from typing import Final

FEWEST_SHOWN: Final = 3
_NUMBER: Final = re.compile(r"\d(?:[\s\-‐‑–・]?\d){4,}")


def hide_numbers(text: str, shown: int = FEWEST_SHOWN) -> str:
    """Return a text with only the last digits of each number of five digits or more: …567."""
    return _NUMBER.sub(lambda found: "…" + re.sub(r"\D", "", found[0])[-shown:], text)


def hide_both(was: str | None, became: str | None) -> tuple[str | None, str | None]:
    """Return two texts with as many last digits of their numbers as tell them apart."""
    for shown in range(FEWEST_SHOWN, max(len(was or ""), len(became or ""), FEWEST_SHOWN) + 1):
        pair = was and hide_numbers(was, shown), became and hide_numbers(became, shown)
        if was is None or became is None or was == became or pair[0] != pair[1]:
            break
    return pair
