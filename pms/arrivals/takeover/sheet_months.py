"""The month of a sheet, and the days that are marked in its columns."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from pms.arrivals.takeover.instructions import FileDays
from pms.arrivals.takeover.laid_rows import LaidRow, LaidSheet
from pms.rules.days import ONE_DAY, month_last
from pms.rules.roll_cells import plain
from pms.rules.roll_dates import whole_day, whole_month
from pms.rules.roll_heads import Meaning, SheetHead
from pms.rules.roll_legends import DAY_MARK, Mark, marks_in
from pms.rules.roll_lines import Facts, nearest_month

_DAY_ALONE: Final = re.compile(r"\d{1,2}[/月]\d{1,2}日?")
_OF_A_MONTH: Final = (Meaning.BILLED, Meaning.PAID, Meaning.BALANCE, Meaning.CARRIED)


def earlier_months(sheets: Sequence[LaidSheet], facts: dict[str, Facts]) -> frozenset[str]:
    """Return the sheets of a month for which the file has a newer sheet."""
    newest: dict[str, date] = {}
    dated = [sheet for sheet in sheets if sheet.is_roll and facts[sheet.key].month is not None]
    for sheet in dated:
        month, house = facts[sheet.key].month, facts[sheet.key].building or ""
        if month is not None:
            newest[house] = max(newest.get(house, month), month)
    return frozenset(
        sheet.key
        for sheet in dated
        if facts[sheet.key].month != newest[facts[sheet.key].building or ""]
    )


def is_of_a_month(sheet: LaidSheet) -> bool:
    """Whether a sheet is about what was billed and paid in one month."""
    return bool(sheet.rows) and any(sheet.rows[0].has(meaning) for meaning in _OF_A_MONTH)


def own_month(row: LaidRow) -> date | None:
    """Return the last day billed as a row itself states it."""
    cell = row.cell(Meaning.BILLED_THROUGH)
    month = whole_month(cell)
    if month is not None:
        return month_last(month)
    following = whole_month(row.cell(Meaning.NEXT_BILLED))
    if not cell.strip() and following is not None:
        return following - ONE_DAY
    return whole_day(cell)


def find_last_marked_day(sheets: Sequence[LaidSheet], near: date) -> date | None:
    """Return the end of the newest month that was billed, by the marks of what was paid.

    A month after the day of the file is billed only where most residents have a mark for it;
    otherwise the marks are of money that came ahead.
    """
    marked: Counter[date] = Counter()
    lets = 0
    for sheet in sheets:
        marks = marks_of(sheet)
        for row in sheet.rows:
            lets += bool(row.cell(Meaning.NAME) or row.cell(Meaning.FAMILY))
            for head, cell in row.under(Meaning.MONTH):
                month = month_of_head(head, near)
                if month is not None and is_marked(cell) and not is_ahead(cell, marks):
                    marked[month] += 1
    found = [month for month, count in marked.items() if month <= near or count * 2 > lets]
    return month_last(max(found)) if found else None


def is_ahead(cell: str, marks: Mapping[str, Mark]) -> bool:
    """Whether a mark says that money came before the month was billed, by the sheet's legend."""
    bare = plain(cell)
    is_day = bool(_DAY_ALONE.fullmatch(bare)) or whole_day(bare) is not None
    return marks.get(DAY_MARK if is_day else bare[:1]) is Mark.AHEAD


def marks_of(sheet: LaidSheet) -> Mapping[str, Mark]:
    """Return the marks of payments that the words of a sheet explain."""
    found: dict[str, Mark] = {}
    for words in sheet.words:
        for cell in words:
            found.update(marks_in(cell))
    return found


def days_of_file(
    rolls: Sequence[LaidSheet],
    others: Sequence[Facts],
    facts: Mapping[str, Facts],
    read_on: date,
    answered: FileDays,
) -> FileDays:
    """Return the day that a file is of and the day through which it was billed, where known.

    `rolls` are those of the file; `others` is what its other sheets say, and files without
    tenancies of their own. `answered` is what a person answered, which overrides what the file says.
    """
    found = [*(facts[sheet.key] for sheet in rolls), *others]
    rows = [row for sheet in rolls for row in sheet.rows]
    own = [month for row in rows if (month := own_month(row)) is not None]
    as_of = answered.as_of or next((fact.as_of for fact in found if fact.as_of), None)
    if as_of is None and own:
        as_of = read_on
    if answered.billed_through is not None:
        return FileDays(as_of, answered.billed_through)
    through = next((fact.billed_through for fact in found if fact.billed_through), None)
    months = [facts[sheet.key].month for sheet in rolls if is_of_a_month(sheet)]
    if through is None and months and months[0] is not None:
        through = month_last(months[0])
    if through is None and len(set(own)) == 1:
        through = own[0]
    if through is None and not own:
        through = find_last_marked_day(rolls, as_of or read_on)
    return FileDays(as_of, through)


def month_of_head(head: SheetHead, near: date) -> date | None:
    """Return the first day of a column's month; without a year, the one nearest to `near`."""
    if head.month is None:
        return None
    year, month = head.month
    return date(year, month, 1) if year else nearest_month(month, near)


def is_marked(cell: str) -> bool:
    """Whether a cell of a month's column states anything about the month."""
    return bool(plain(cell).strip("-ー－― "))
