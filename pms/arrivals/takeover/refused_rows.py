"""The rows that were not taken over, as a sheet with a column that says why."""

import csv
import io

from pms.arrivals.takeover.answered import PreparedRow
from pms.arrivals.takeover.guides import Guide
from pms.foundation.spreadsheet import xlsx_file
from pms.rules.roll_heads import Meaning

_WHY = {"ja": "引き継げない理由", "en": "Why it was not taken over"}
_HOUSE = {"ja": "建物", "en": "Building"}


def refused_rows(guide: Guide, language: str) -> list[list[str]]:
    """The rows as their sheets write them, under their own titles.

    What the files say as a whole stands above, and the house of rows that have none of their own
    beside them, so that the mended sheet is read without asking again.
    """
    waiting = guide.prepared.waiting
    titles = _titles(guide, waiting)
    found = []
    if guide.billed_through is not None:
        through = guide.billed_through
        as_of = guide.prepared.read.as_of or guide.prepared.read.read_on
        days = f"{as_of.year}年{as_of.month}月{as_of.day}日現在"
        found.append([days, f"{through.year}年{through.month}月分まで請求済"])
    found.append([_HOUSE.get(language, "Building"), *titles, _WHY.get(language, _WHY["en"])])
    for row in waiting:
        told = _cells(guide, row)
        why = " / ".join(one.said(language) for one in row.waiting)
        found.append([row.values["building"], *(told.get(title, "") for title in titles), why])
    return found


def refused_rows_csv(guide: Guide, language: str) -> bytes:
    """The rows as CSV; UTF-8 with its mark, no cell that a spreadsheet takes for a formula."""
    written = io.StringIO()
    rows = refused_rows(guide, language)
    csv.writer(written).writerows([_safe(cell) for cell in row] for row in rows)
    return b"\xef\xbb\xbf" + written.getvalue().encode()


def refused_rows_xlsx(guide: Guide, language: str) -> bytes:
    """The rows as a workbook, every cell as text."""
    return xlsx_file(refused_rows(guide, language), "refused")


def _titles(guide: Guide, rows: list[PreparedRow]) -> list[str]:
    found: dict[str, None] = {}
    for row in rows:
        laid = guide.prepared.read.rows.get(row.at)
        for head in laid.heads if laid else ():
            if head.title and head.meaning is not Meaning.BUILDING:
                found.setdefault(head.title)
    return list(found) or ["号室", "氏名", "契約開始", "賃料", "敷金"]


def _cells(guide: Guide, row: PreparedRow) -> dict[str, str]:
    laid = guide.prepared.read.rows.get(row.at)
    if laid is None:
        values = row.values
        names = ("room", "name", "start", "rent", "deposit")
        return dict(
            zip(
                ("号室", "氏名", "契約開始", "賃料", "敷金"),
                (values[name] for name in names),
                strict=True,
            )
        )
    found: dict[str, str] = {}
    for head, cell in zip(laid.heads, laid.cells, strict=True):
        if head.title:
            found.setdefault(head.title, cell)
    return found


def _safe(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "@", "\t") else cell
