"""What holds for a whole file: which sheets are older months, what was billed, what is summed."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from pms.arrivals.takeover.layout import LaidRow, LaidSheet
from pms.arrivals.takeover.row_money import is_marked, month_of_head
from pms.arrivals.takeover.taken import ReadTenancy, ReadUnit
from pms.rules.days import month_last
from pms.rules.roll_cells import Told, money, whole_day, whole_month
from pms.rules.roll_heads import Meaning
from pms.rules.roll_lines import Facts

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
    dated = [one for one in sheets if one.is_roll and facts[one.name].month is not None]
    for sheet in dated:
        month, house = facts[sheet.name].month, facts[sheet.name].building or ""
        if month is not None:
            newest[house] = max(newest.get(house, month), month)
    return frozenset(
        sheet.name
        for sheet in dated
        if facts[sheet.name].month != newest[facts[sheet.name].building or ""]
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
    sums = (
        (Meaning.RENT, "rent", {rent, rent + asked}),
        (Meaning.DEPOSIT, "depositHeld", {held}),
        (Meaning.DEPOSIT_HELD, "depositHeld", {held}),
        (Meaning.UNPAID, "unpaid", {unpaid}),
    )
    for meaning, name, read in sums:
        told = [money(row.cell(meaning), factor) for row in sheet.totals]
        yens = [one.yen for one in told if one.told is Told.YEN and one.yen > 0]
        if yens:
            yen = sum(yens) if sum(yens) in read else max(yens)
            title = sheet.totals[-1].head(meaning).title
            yield ShownTotal(name, title, yen, min(read), yen in read)
