"""Reads large files of a take-over in a process of its own, whose memory and time are bounded.

What is a table of tenancies is found out by looking at every cell for a heading, which takes
minutes for a file made for that. The process is given texts that are read already and runs this
program on them, so that its answer is taken as this program's own objects.
"""

import copyreg
import pickle
import sys
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from pms.arrivals.takeover.instructions import Instructions
from pms.arrivals.takeover.laid_rows import sheet_key
from pms.arrivals.takeover.reading import OpenedFile, read_files
from pms.arrivals.takeover.taken import TakeOver
from pms.foundation.bounded_process import BoundedProcess, limit_this_process
from pms.sheets.refusals import SheetRefused, answer_of_process

MOST_READ_HERE: Final = 10_000
"""How many cells are read at once in this process."""
MOST_CELLS: Final = 150_000
"""How many filled cells the files may have together, without those of sheets that are left out."""
_MOST_DATA: Final = 384 * 1024 * 1024
_MOST_CPU_SECONDS: Final = 15
_MOST_SECONDS: Final = 40
_PATIENCE_SECONDS: Final = 20


def _as_plain_mapping(mapping: "MappingProxyType[Any, Any]") -> Any:
    return dict, (dict(mapping),)


copyreg.pickle(MappingProxyType, _as_plain_mapping)
_process = BoundedProcess(
    "pms.arrivals.takeover.reading_process",
    most_seconds=_MOST_SECONDS,
    patience_seconds=_PATIENCE_SECONDS,
)


def read_within_bounds(
    files: Sequence[OpenedFile], read_on: date, instructions: Instructions
) -> TakeOver:
    """Return what `read_files` does with proposed days; refuse files that take too much.

    Raises `TooMany` while other large files are read.
    """
    cells, filled = 0, 0
    for name, tables in files:
        for table in tables:
            is_read = instructions.of_sheet(sheet_key(name, table.name)).is_read
            if is_read is False or (table.is_hidden and not is_read):
                continue
            for row in table.records():
                cells += len(row.cells)
                filled += len(row.cells) - row.cells.count("")
    if filled > MOST_CELLS:
        raise SheetRefused("takeover_cells", count=filled, most=MOST_CELLS)
    if cells <= MOST_READ_HERE:
        return read_files(files, read_on, instructions, takes_proposed_days=True)
    found = pickle.loads(  # from this program itself
        _read_there(pickle.dumps((files, read_on, instructions)))
    )
    if isinstance(found, TakeOver):
        return found
    code, facts = found
    raise SheetRefused(code, **facts)


@lru_cache(maxsize=2)
def _read_there(given: bytes) -> bytes:
    """Return the answer of the process; the next page of a guide asks for the same ones again."""
    return answer_of_process(_process, given)


def _read_given_files() -> TakeOver | tuple[str, dict[str, Any]]:
    """Return what the given files state, or why they are refused."""
    try:
        given = pickle.load(sys.stdin.buffer)  # from this program itself
        return read_files(*given, takes_proposed_days=True)
    except SheetRefused as refusal:
        return refusal.reason.code, refusal.reason.facts


if __name__ == "__main__":
    limit_this_process(_MOST_DATA, _MOST_CPU_SECONDS)
    pickle.dump(_read_given_files(), sys.stdout.buffer)
