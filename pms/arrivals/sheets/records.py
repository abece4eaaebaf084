"""Cuts the text of a sheet into records, each with the physical line on which it starts."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pms.arrivals.sheets.reasons import SheetRefused

MOST_ROWS: Final = 10_000
DELIMITERS: Final = (",", "\t", ";")
_LINES_SEARCHED: Final = 20


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its number, the line it starts on, its cells, and whether its quotes are broken."""

    number: int
    line: int
    cells: tuple[str, ...]
    is_broken: bool = False


def delimiter_of(text: str) -> str:
    """The separator on most of the lines where the header can stand, then the most frequent one.

    Where commas are decimal marks the header still has none.
    """
    lines = list(islice(io.StringIO(text), _LINES_SEARCHED))
    counts = {one: [line.count(one) for line in lines] for one in DELIMITERS}
    return max(DELIMITERS, key=lambda one: (sum(map(bool, counts[one])), sum(counts[one])))


def read_records(text: str, delimiter: str) -> Iterator[Record]:
    """Every record in order; a line break inside quotes belongs to its cell."""
    # Not universal newlines: a line break inside a cell and the count of lines stay as they are.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    while True:
        number, line = number + 1, reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as broken:
            _refuse_what_swallows_the_rest(broken, line)
            yield Record(number, line, (), is_broken=True)
            continue
        yield Record(number, line, tuple(cells))


def _refuse_what_swallows_the_rest(broken: csv.Error, line: int) -> None:
    """A quote never closed makes one cell of all that follows: no row below it can be trusted."""
    words = str(broken)
    if "unexpected end of data" in words or "field limit" in words:
        raise SheetRefused("quote_never_closed", line=line) from broken
