"""Makes a title of a longer text: its first line, not too long."""

from typing import Final

LONGEST_TITLE: Final = 120
_LONGEST_MADE: Final = 60


def first_line(text: str) -> str:
    """Return the first line of a text that holds any; what is too long ends in an ellipsis."""
    line = text.strip().splitlines()[0].strip() if text.strip() else ""
    return line if len(line) <= _LONGEST_MADE else f"{line[: _LONGEST_MADE - 1].rstrip()}…"
