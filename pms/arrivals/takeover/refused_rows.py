"""The refused rows of a guide, also as files."""

from typing import Final

from pms.arrivals.takeover.answered import PreparedRow
from pms.arrivals.takeover.guides import Guide
from pms.foundation.spreadsheet import csv_file, xlsx_file
from pms.foundation.translations import translate
from pms.rules.roll_heads import FEES, Meaning, SheetHead, head_of
from pms.rules.roll_lines import RollSection

_PLAIN_TITLES: Final = {
    Meaning.ROOM: "号室",
    Meaning.NAME: "氏名",
    Meaning.START: "契約開始日",
    Meaning.END: "契約終了日",
    Meaning.RENT: "賃料",
    Meaning.COMMON_FEE: "共益費",
    Meaning.UTILITIES: "水道光熱費",
    Meaning.PARKING: "駐車料",
    Meaning.MONTHLY: "月額合計",
    Meaning.DEPOSIT: "敷金",
    Meaning.DEPOSIT_HELD: "預り敷金",
    Meaning.UNPAID: "未収金",
    Meaning.UNPAID_DETAIL: "未収内訳",
    Meaning.OVERPAID: "過入金",
    Meaning.PHONE: "電話番号",
}
"""Titles for columns whose own title is clear only with the head above it."""
_OF_MONEY: Final = frozenset(
    {*FEES, Meaning.RENT, Meaning.ASKING_RENT, Meaning.OLD_RENT, Meaning.MONTHLY, Meaning.DEPOSIT}
    | {Meaning.DEPOSIT_HELD, Meaning.DEPOSIT_AND_KEY_MONEY, Meaning.UNPAID, Meaning.OVERPAID}
    | {Meaning.CARRIED, Meaning.BILLED, Meaning.PAID, Meaning.BALANCE, Meaning.MONTH}
)
_BILLED_THROUGH: Final = "請求済年月"
_FIRST_TITLES: Final = {
    "号室": "room",
    "氏名": "name",
    "契約開始": "start",
    "賃料": "rent",
    "敷金": "deposit",
}
"""The titles of rows whose sheet is not read again, with the values below them."""


def refused_rows(guide: Guide, language: str) -> list[list[str]]:
    """Return the waiting rows as their sheets write them, under their own titles.

    A line above states what holds for all files, and a column names the building of each row, so
    that the corrected sheet can be read without asking again.
    """
    waiting = guide.prepared.waiting
    title_found: dict[str, None] = {}
    for title_row in waiting:
        laid = guide.prepared.read.rows.get(title_row.at)
        factor = guide.prepared.read.factors.get(title_row.at, 1)
        for head in laid.heads if laid else ():
            if head.title and head.meaning is not Meaning.BUILDING:
                title_found.setdefault(_format_title(head, factor))
    titles = list(title_found or _FIRST_TITLES)
    found = []
    read, through = guide.prepared.read, guide.billed_through
    if through is not None or read.as_of is not None:
        as_of = read.as_of or read.read_on
        days = [f"{as_of.year}年{as_of.month}月{as_of.day}日現在"]
        days += [] if through is None else [f"{through.year}年{through.month}月分まで請求済"]
        found.append(days)
    # Files billed through different days: each row states its own.
    differs = len({days.billed_through for days in read.days.values()}) > 1
    own = [title for title in [_BILLED_THROUGH] if differs and title not in titles]
    why_not = translate("Why it was not taken over", language)
    found.append([translate("Building", language), *titles, *own, why_not])
    for row in waiting:
        cells = {_BILLED_THROUGH: row.values["billedThrough"]} | _cells_of_row(guide, row)
        why = " / ".join(reason.in_language(language) for reason in row.waiting)
        wanted = (cells.get(title, "") for title in [*titles, *own])
        found.append([row.values["building"], *wanted, why])
    return found


def refused_rows_csv(guide: Guide, language: str) -> bytes:
    """Return the rows as CSV in UTF-8 with a byte order mark, with no formula cells."""
    return csv_file(refused_rows(guide, language))


def refused_rows_xlsx(guide: Guide, language: str) -> bytes:
    """Return the rows as a workbook, with every cell as text."""
    return xlsx_file(refused_rows(guide, language), "refused")


def _cells_of_row(guide: Guide, row: PreparedRow) -> dict[str, str]:
    laid = guide.prepared.read.rows.get(row.at)
    if laid is None:
        return {title: row.values[name] for title, name in _FIRST_TITLES.items()}
    found: dict[str, str] = {}
    factor = guide.prepared.read.factors.get(row.at, 1)
    for head, cell in zip(laid.heads, laid.cells, strict=True):
        if head.title:
            is_space = head.meaning is Meaning.ROOM and laid.section is RollSection.PARKING
            found.setdefault(_format_title(head, factor), f"駐車場 {cell}" if is_space else cell)
    return found


def _format_title(head: SheetHead, factor: int) -> str:
    """Return a title that is clear on its own, with the unit of its amounts."""
    known = head_of(head.title)
    title = head.title
    if head.meaning in _PLAIN_TITLES and (known.meaning, known.month) != (head.meaning, head.month):
        title = _PLAIN_TITLES[head.meaning]
    factor = max(factor, head.factor)
    if factor > 1 and head.meaning in _OF_MONEY and head_of(title).factor == 1:
        title = f"{title}（{'万' if factor == 10_000 else '千'}円）"
    return title
