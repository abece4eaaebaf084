"""Reads a workbook in a process of its own, whose memory and time are bounded.

A few kilobytes can unpack to gigabytes of cells that share one long text. The result comes back as
JSON, so that whatever a hostile file does to the process, nothing of it runs here.
"""

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from pms.foundation.bounded_process import BoundedProcess, limit_this_process
from pms.sheets.refusals import SheetRefused, answer_of_process
from pms.sheets.text_records import NO_FAULTS, CellFault, TextRecord
from pms.sheets.workbook import open_workbook

_MOST_DATA: Final = 160 * 1024 * 1024
_MOST_CPU_SECONDS: Final = 4
_MOST_SECONDS: Final = 20
_PATIENCE_SECONDS: Final = 20
MOST_TEXT: Final = 10_000_000
"""How many characters all cells may have together."""
_MOST_KEPT: Final = 12 * 1024 * 1024
"""How many bytes the answers have together that stay in memory for the next page."""

_process = BoundedProcess(
    "pms.sheets.workbook_process",
    most_seconds=_MOST_SECONDS,
    patience_seconds=_PATIENCE_SECONDS,
)
_kept: dict[bytes, bytes] = {}


class ReadSheet(msgspec.Struct):
    """A sheet of a workbook as the process writes it."""

    name: str
    records: list[tuple[int, tuple[str, ...], dict[int, CellFault] | None]]
    """The number of each row, its cells, and those that the spreadsheet changed."""
    hidden: frozenset[int]
    hidden_rows: frozenset[int]
    is_hidden: bool
    counts_from_1904: bool


class WorkbookAnswer(msgspec.Struct):
    """The sheets of a workbook, or the code and the facts of its refusal."""

    sheets: list[ReadSheet] = []
    refused: str = ""
    facts: dict[str, str | int] = {}


def read_sheets(data: bytes) -> Sequence[dict[str, Any]]:
    """Return the sheets of a workbook as the arguments of tables, the hidden ones last.

    Raises `SheetRefused`, and `TooMany` while other workbooks are read.
    """
    output = _kept.get(data)
    if output is None:
        output = answer_of_process(_process, data)
        _keep_answer(data, output)
    answer = msgspec.json.decode(output, type=WorkbookAnswer)
    if answer.refused:
        raise SheetRefused(answer.refused, **answer.facts)
    known: dict[tuple[tuple[int, CellFault], ...], Mapping[int, CellFault]] = {(): NO_FAULTS}
    return [
        {
            "name": sheet.name,
            # The rows of a column of errors have the same faults: kept once.
            "records": tuple(
                TextRecord(
                    number,
                    number,
                    cells,
                    faults=known.setdefault(
                        tuple(faults.items()) if faults else (), MappingProxyType(faults or {})
                    ),
                )
                for number, cells, faults in sheet.records
            ),
            "hidden": sheet.hidden,
            "hidden_rows": sheet.hidden_rows,
            "is_hidden": sheet.is_hidden,
            "counts_from_1904": sheet.counts_from_1904,
        }
        for sheet in answer.sheets
    ]


def _keep_answer(data: bytes, output: bytes) -> None:
    """Keep an answer, and forget the oldest ones above the limit."""
    _kept[data] = output
    size = sum(map(len, _kept.values()))
    for oldest, answer in list(_kept.items()):
        if size <= _MOST_KEPT:
            return
        _kept.pop(oldest, None)
        size -= len(answer)


def _answer_workbook(data: bytes) -> WorkbookAnswer:
    """Return the sheets of a workbook, or why it is refused."""
    try:
        book = open_workbook(data)
        letters, sheets = 0, []
        for name in (*book.names, *book.hidden_names):
            sheet = ReadSheet(
                name,
                [],
                book.hidden_columns(name),
                book.hidden_rows(name),
                name in book.hidden_names,
                book.counts_from_1904,
            )
            for record in book.records(name):
                letters += sum(map(len, record.cells))
                if letters > MOST_TEXT:
                    raise SheetRefused("workbook_too_much")
                sheet.records.append((record.number, record.cells, dict(record.faults) or None))
            sheets.append(sheet)
    except SheetRefused as refusal:
        return WorkbookAnswer(refused=refusal.reason.code, facts=refusal.reason.facts)
    return WorkbookAnswer(sheets)


if __name__ == "__main__":
    limit_this_process(_MOST_DATA, _MOST_CPU_SECONDS)
    sys.stdout.buffer.write(msgspec.json.encode(_answer_workbook(sys.stdin.buffer.read())))
