"""Reads a workbook in a process of its own, whose memory and time are bounded.

A few kilobytes can unpack to gigabytes of cells that share one long text. The result comes back as
JSON, so that whatever a hostile file does to the process, nothing of it runs here.
"""

import json
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from pms.foundation.bounded_process import (
    BoundedProcess,
    ProcessBusyError,
    ProcessEndedError,
    limit_this_process,
)
from pms.foundation.errors import TooMany
from pms.sheets.refusals import SheetRefused
from pms.sheets.texts import CellFault, Record
from pms.sheets.workbook import open_workbook

_MOST_DATA: Final = 192 * 1024 * 1024
_MOST_CPU_SECONDS: Final = 5
_MOST_SECONDS: Final = 20
_PATIENCE_SECONDS: Final = 20
MOST_TEXT: Final = 10_000_000
"""How many characters all cells may have together."""
_MOST_KEPT: Final = 256 * 1024
"""How large a file may be in bytes whose sheets stay in memory for the next page."""

_process = BoundedProcess(
    "pms.sheets.workbook_process",
    most_seconds=_MOST_SECONDS,
    patience_seconds=_PATIENCE_SECONDS,
)


def read_sheets(data: bytes) -> Sequence[dict[str, Any]]:
    """Return the sheets of a workbook as the arguments of tables, the hidden ones last.

    Raises `SheetRefused`, and `TooMany` while other workbooks are read.
    """
    return _read_kept(data) if len(data) <= _MOST_KEPT else _read(data)


def _read(data: bytes) -> Sequence[dict[str, Any]]:
    try:
        output = _process.read(data).output
    except ProcessBusyError:
        raise TooMany(
            "Other workbooks are being read. Choose this one again in a minute.",
            retry_after_seconds=_MOST_SECONDS,
        ) from None
    except ProcessEndedError:
        raise SheetRefused("workbook_too_much") from None
    answer = json.loads(output)
    if "refused" in answer:
        raise SheetRefused(answer["refused"], **answer["facts"])
    return [_as_arguments(sheet) for sheet in answer["sheets"]]


_read_kept = lru_cache(maxsize=4)(_read)


def _as_arguments(sheet: dict[str, Any]) -> dict[str, Any]:
    records = tuple(
        Record(
            number,
            number,
            tuple(cells),
            faults={int(column): CellFault(fault) for column, fault in faults.items()},
        )
        for number, cells, faults in sheet.pop("records")
    )
    hidden = {name: frozenset(sheet.pop(name)) for name in ("hidden", "hidden_rows")}
    return {**sheet, **hidden, "records": records}


def _answer(data: bytes) -> dict[str, Any]:
    """Return the sheets of a workbook, or why it is refused, as JSON data."""
    try:
        book = open_workbook(data)
        letters, sheets = 0, []
        for name in (*book.names, *book.hidden_names):
            records = []
            for record in book.records(name):
                letters += sum(map(len, record.cells))
                if letters > MOST_TEXT:
                    raise SheetRefused("workbook_too_much")
                records.append((record.number, record.cells, dict(record.faults)))
            sheets.append(
                {
                    "name": name,
                    "records": records,
                    "hidden": sorted(book.hidden_columns(name)),
                    "hidden_rows": sorted(book.hidden_rows(name)),
                    "is_hidden": name in book.hidden_names,
                    "counts_from_1904": book.counts_from_1904,
                }
            )
    except SheetRefused as refusal:
        return {"refused": refusal.reason.code, "facts": refusal.reason.facts}
    return {"sheets": sheets}


if __name__ == "__main__":
    limit_this_process(_MOST_DATA, _MOST_CPU_SECONDS)
    json.dump(_answer(sys.stdin.buffer.read()), sys.stdout)
