"""A month's journals as files for accounting programs."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from pms.accounting.charts import Chart
from pms.foundation.spreadsheet import csv_file, xlsx_file
from pms.rules.journal_files import (
    FREEE_ROWS,
    Cell,
    NamedJournal,
    Program,
    Side,
    parts,
    rows,
)
from pms.rules.journals import Journal, TaxKind


class Encoding(StrEnum):
    """How a file's text is written."""

    UTF8 = "utf-8"
    CP932 = "cp932"


PROGRAM_ENCODINGS: Final = {
    Program.FREEE: (Encoding.UTF8, Encoding.CP932),
    Program.MONEY_FORWARD: (Encoding.UTF8, Encoding.CP932),
    Program.YAYOI: (Encoding.CP932, Encoding.UTF8),
    Program.PLAIN: (Encoding.UTF8, Encoding.CP932),
}
"""The encodings offered for each program, the usual one first."""


def journal_file(
    program: Program, encoding: Encoding, journals: Sequence[Journal], chart: Chart, part: int = 1
) -> bytes:
    """Return a CSV file of a month; the same journals and accounts give the same bytes."""
    cells = rows(program, _part(program, journals, chart, part), _no_tax(chart, program))
    return csv_file(cells, encoding="cp932" if encoding is Encoding.CP932 else "utf-8-sig")


def journal_workbook(journals: Sequence[Journal], chart: Chart) -> bytes:
    """Return the plain rows of a month as a workbook."""
    found = _named(Program.PLAIN, journals, chart)
    cells: list[Sequence[Cell]] = list(rows(Program.PLAIN, found, _no_tax(chart, Program.PLAIN)))
    return xlsx_file(cells, "仕訳")


def part_count(program: Program, journals: Sequence[Journal], chart: Chart) -> int:
    """Return in how many files a month goes to a program: freee takes so many rows at once."""
    if program is not Program.FREEE or 2 * len(journals) < FREEE_ROWS:
        return 1
    return len(parts(_named(program, journals, chart), FREEE_ROWS))


def _part(
    program: Program, journals: Sequence[Journal], chart: Chart, part: int
) -> Sequence[NamedJournal]:
    found = _named(program, journals, chart)
    if program is not Program.FREEE:
        return found
    every = parts(found, FREEE_ROWS)
    return every[part - 1] if 1 <= part <= len(every) else ()


def _named(program: Program, journals: Sequence[Journal], chart: Chart) -> list[NamedJournal]:
    return [
        NamedJournal(
            number,
            journal.entered_on,
            journal.memo,
            [_side(program, chart, one) for one in journal.postings if one.yen > 0],
            [_side(program, chart, one) for one in journal.postings if one.yen < 0],
            journal.is_late,
        )
        for number, journal in enumerate(journals, start=1)
    ]


def _side(program: Program, chart: Chart, posting: tuple[str, int, TaxKind]) -> Side:
    role, yen, tax = posting
    account = chart.account(role)
    return Side(account.name, account.sub_name, chart.tax(tax, program), abs(yen))


def _no_tax(chart: Chart, program: Program) -> str:
    return chart.tax(TaxKind.OUT_OF_SCOPE, program)
