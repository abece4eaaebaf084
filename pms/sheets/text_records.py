"""Records of a separated text, with broken quotation marks named."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from pms.sheets.refusals import SheetRefused


class CellFault(StrEnum):
    """What a spreadsheet made of a cell, so that its text is not what a person typed."""

    FORMULA = "formula"
    """A formula that was never calculated; the text is the formula."""
    ERROR = "error"
    """An error such as #N/A; the text is its name."""
    DAY = "day"
    """A typed day or time: a room 1-2 that became 2 January is one too."""
    TRUTH = "truth"
    """TRUE or FALSE, typed as such."""
    DIGITS = "digits"
    """A text of digits only, in a cell that is no number."""


NO_FAULTS: Final[Mapping[int, CellFault]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class TextRecord:
    """One record: its number, its first line, its cells, and whether its quotes are broken.

    The cells of a record with broken quotes are a guess, for a person to look at. `faults` are
    cells that a spreadsheet changed, by their columns from 0.
    """

    number: int
    line: int
    cells: tuple[str, ...]
    is_broken: bool = False
    faults: Mapping[int, CellFault] = field(default_factory=lambda: NO_FAULTS)


def read_records(text: str, delimiter: str) -> Iterator[TextRecord]:
    """Yield every record in order; a line break inside quotes belongs to its cell."""
    # No universal newlines: line breaks inside a cell and the line numbers stay as they are.
    lines = _Lines(text)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    number = 0
    while True:
        number, line = number + 1, reader.line_num + 1
        lines.read.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as broken:
            words = str(broken)
            if "unexpected end of data" in words or "field limit" in words:
                raise SheetRefused("quote_never_closed", line=line) from broken
            guess = next(csv.reader(lines.read, delimiter=delimiter), [])
            yield TextRecord(number, line, tuple(guess), is_broken=True)
            continue
        yield TextRecord(number, line, tuple(cells))


class _Lines:
    """The lines of a text, and those that were read since the list was cleared."""

    def __init__(self, text: str) -> None:
        self._lines = iter(io.StringIO(text, newline=""))
        self.read: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.read.append(line)
        return line
