"""What holds for a whole file: which sheets are older months, what was billed, what is summed."""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from pms.arrivals.takeover.layout import LaidRow, LaidSheet
from pms.arrivals.takeover.row_money import is_marked, month_of_head
from pms.arrivals.takeover.taken import ReadTenancy, ReadUnit
from pms.catalogue.names import building_key
from pms.rules.days import month_last
from pms.rules.roll_cells import Told, money, whole_day, whole_month
from pms.rules.roll_heads import Meaning
from pms.rules.roll_lines import Facts, is_total

_OF_A_MONTH: Final = (Meaning.BILLED, Meaning.PAID, Meaning.BALANCE, Meaning.CARRIED)


class ShownTotal(NamedTuple):
    """What a sheet sums in one column, and what its rows were read to come to."""

    name: str
    title: str
    yen: int
    read_yen: int
    is_read: bool
    """Whether the rows come to it, with or without what vacant rooms ask."""


def earlier_months(sheets: Sequence[LaidSheet], facts: dict[str, Facts]) -> frozenset[str]:
    """The sheets of a month of which a newer one is in the file."""
    newest: dict[str, date] = {}
    dated = [one for one in sheets if one.is_roll and facts[one.key].month is not None]
    for sheet in dated:
        month, house = facts[sheet.key].month, facts[sheet.key].building or ""
        if month is not None:
            newest[house] = max(newest.get(house, month), month)
    return frozenset(
        sheet.key
        for sheet in dated
        if facts[sheet.key].month != newest[facts[sheet.key].building or ""]
    )


def tells_rent(sheet: LaidSheet) -> bool:
    """Whether a sheet tells what is paid a month, and not only debts or deposits."""
    row = sheet.rows[0]
    return row.has(Meaning.RENT) or row.has(Meaning.MONTHLY) or row.has(Meaning.BILLED)


def is_of_a_month(sheet: LaidSheet) -> bool:
    """Whether a sheet is about what was billed and paid in one month."""
    return bool(sheet.rows) and any(sheet.rows[0].has(meaning) for meaning in _OF_A_MONTH)


def own_month(row: LaidRow) -> date | None:
    """The last day billed as a row itself says it."""
    cell = row.cell(Meaning.BILLED_THROUGH)
    month = whole_month(cell)
    return whole_day(cell) if month is None else month_last(month)


def last_marked(rows: Sequence[LaidRow], near: date) -> date | None:
    """The end of the newest month of which a row says whether it was paid."""
    months = [
        month
        for row in rows
        for head, cell in row.under(Meaning.MONTH)
        if is_marked(cell) and (month := month_of_head(head, near)) is not None
    ]
    return month_last(max(months)) if months else None


def shown_totals(
    sheet: LaidSheet, factor: int, lets: Sequence[ReadTenancy], units: Sequence[ReadUnit]
) -> Iterator[ShownTotal]:
    """The sums a sheet shows of rent, deposits and debts: of the whole, or of its parts together."""
    rent = sum(one.rent or 0 for one in lets)
    asked = sum(unit.asking_rent or 0 for unit in units)
    held = sum(one.deposit_held or 0 for one in lets)
    unpaid = sum(debt.yen for one in lets for debt in one.unpaid)
    overpaid = sum(one.overpaid for one in lets)
    monthly = sum(one.monthly for one in lets)
    carried = sum(money(row.cell(Meaning.CARRIED), factor).yen for row in sheet.rows)
    sums = (
        (Meaning.RENT, "rent", {rent, rent + asked}),
        (Meaning.DEPOSIT, "depositHeld", {held}),
        (Meaning.DEPOSIT_HELD, "depositHeld", {held}),
        (Meaning.UNPAID, "unpaid", {unpaid}),
        (Meaning.MONTHLY, "monthly", {monthly, monthly + asked}),
        (Meaning.BILLED, "monthly", {monthly, monthly + carried}),
        (Meaning.BALANCE, "unpaidLessOverpaid", {unpaid - overpaid}),
    )
    for meaning, name, read in sums:
        told = [money(row.cell(meaning), factor) for row in sheet.totals]
        yens = [one.yen for one in told if one.told is Told.YEN and one.yen > 0]
        if yens:
            yen = sum(yens) if sum(yens) in read else max(yens)
            title = sheet.totals[-1].head(meaning).title
            yield ShownTotal(name, title, yen, min(read), yen in read)


_SUMS: Final = (
    ("unpaid", re.compile(r"未収|滞納|未納|未払|unpaid|arrears|outstanding", re.IGNORECASE)),
    ("depositHeld", re.compile(r"敷金|預り|保証金|deposit", re.IGNORECASE)),
    ("rent", re.compile(r"賃料|家賃|rent", re.IGNORECASE)),
    ("monthly", re.compile(r"月額|合計|monthly|total", re.IGNORECASE)),
)


def summed_elsewhere(sheet: LaidSheet, houses: Collection[str] | None) -> dict[str, int]:
    """What a sheet of one line a house sums of rents, deposits and debts.

    Only the lines of known `houses` count; None counts every line, to tell what the sheet is.
    """
    lines = [cells for cells in sheet.words if sum(1 for cell in cells if cell.strip()) > 1]
    if len(lines) < 2 or not re.search(r"建物|物件|棟|building|property", lines[0][0], re.I):
        return {}
    found: dict[str, int] = {}
    for place, title in enumerate(lines[0]):
        name = next((name for name, words in _SUMS if words.search(title)), None)
        if name is None or name in found:
            continue
        told = [
            money(cells[place])
            for cells in lines[1:]
            if place < len(cells)
            and not is_total(cells)
            and (houses is None or building_key(cells[0]) in houses)
        ]
        if told and all(one.told in (Told.YEN, Told.NOTHING) for one in told):
            found[name] = sum(one.yen for one in told)
    return found
