"""What applies to a whole file: sheets of earlier months, what was billed, and its sums."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from pms.arrivals.takeover.laid_rows import LaidRow, LaidSheet, Passed
from pms.arrivals.takeover.taken import Question, ReadTenancy, ReadUnit, TakeOver
from pms.rules.days import ONE_DAY, month_last
from pms.rules.roll_cells import Money, Stated, money, plain
from pms.rules.roll_dates import DayOrder, day_order, whole_day, whole_month
from pms.rules.roll_heads import Head, Meaning
from pms.rules.roll_line_kinds import is_floor, is_total
from pms.rules.roll_lines import Facts, nearest_month
from pms.rules.room_names import building_key

_OF_A_MONTH: Final = (Meaning.BILLED, Meaning.PAID, Meaning.BALANCE, Meaning.CARRIED)


class ShownTotal(NamedTuple):
    """The sum of one column in a sheet, and the sum of its rows as read."""

    name: str
    title: str
    yen: int
    read_yen: int
    is_read: bool
    """Whether the rows match it, with or without the asking rents of vacant rooms."""


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


def tells_rent(sheet: LaidSheet) -> bool:
    """Whether a sheet states monthly amounts, and not only debts or deposits."""
    row = sheet.rows[0]
    return row.has(Meaning.RENT) or row.has(Meaning.MONTHLY) or row.has(Meaning.BILLED)


def tells_start(row: LaidRow) -> bool:
    """Whether a table has a column for the start of a tenancy."""
    return any(row.has(meaning) for meaning in (Meaning.START, Meaning.TERM, Meaning.OWN_TERMS))


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


def find_last_marked_day(rows: Sequence[LaidRow], near: date) -> date | None:
    """Return the end of the newest month for which a row states whether it was paid."""
    months = [
        month
        for row in rows
        for head, cell in row.under(Meaning.MONTH)
        if is_marked(cell) and (month := month_of_head(head, near)) is not None
    ]
    return month_last(max(months)) if months else None


def days_of_file(
    rolls: Sequence[LaidSheet], facts: Mapping[str, Facts], read_on: date, answered: date | None
) -> tuple[date | None, date | None]:
    """Return the day that a file is of and the day through which it was billed, where known.

    `answered` is the day of the file as a person answered it, which overrides what the file says.
    """
    found = [facts[sheet.key] for sheet in rolls] + list(facts.values())
    rows = [row for sheet in rolls for row in sheet.rows]
    own = [month for row in rows if (month := own_month(row)) is not None]
    as_of = answered or next((fact.as_of for fact in found if fact.as_of), None)
    if as_of is None and own:
        as_of = read_on
    through = next((fact.billed_through for fact in found if fact.billed_through), None)
    months = [facts[sheet.key].month for sheet in rolls if is_of_a_month(sheet)]
    if through is None and months and months[0] is not None:
        through = month_last(months[0])
    if through is None and own:
        through = Counter(own).most_common(1)[0][0]
    if through is None:
        through = find_last_marked_day(rows, as_of or read_on)
    return as_of, through


def role_of_sheet(sheet: LaidSheet, earlier: Collection[str], rolls: Collection[LaidSheet]) -> str:
    """Return what a sheet is to the file, in words; `rolls` are those whose tenancies are read."""
    if sheet.is_empty:
        return "empty"
    if sheet.key in earlier:
        return "earlier month"
    if sheet.is_roll:
        return "roll" if sheet in rolls else "beside the roll"
    if read_building_sums(sheet, None):
        return "summary, no tenancies"
    if any(is_floor(cells) for cells in sheet.words):
        return "floor list, no tenancies"
    return "no tenancies"


def order_of_days(sheets: Iterable[LaidSheet]) -> DayOrder | None:
    """Return the order of days with the year last, if a cell of the sheets makes it clear."""
    return day_order(
        cell
        for sheet in sheets
        for row in sheet.rows
        for meaning in (Meaning.START, Meaning.END, Meaning.MOVE_OUT)
        if (cell := row.cell(meaning))
    )


def balance_is_credit(sheet: LaidSheet, factor: int) -> bool:
    """Whether a positive balance is an overpayment, and a negative one a debt.

    The billed and paid amounts beside it decide; else the head 過不足, whose first part is the plus.
    """
    votes = Counter(
        balance.yen == paid.yen - billed.yen
        for row in sheet.rows
        for billed, paid, balance in [_billed_paid_balance(row, factor)]
        if balance.stated is billed.stated is Stated.YEN and balance.yen
        if abs(balance.yen) == abs(billed.yen - paid.yen)
    )
    if votes:
        return votes[True] > votes[False]
    return bool(sheet.rows) and "過不足" in sheet.rows[0].head(Meaning.BALANCE).title


def _billed_paid_balance(row: LaidRow, factor: int) -> tuple[Money, Money, Money]:
    return (
        row.amount(Meaning.BILLED, factor),
        row.amount(Meaning.PAID, factor),
        row.amount(Meaning.BALANCE, factor),
    )


def debts_with_minus(sheet: LaidSheet, factor: int) -> int:
    """Return the number of a sheet's debts if each has a minus sign, else 0."""
    yens = [row.amount(Meaning.UNPAID, factor).yen for row in sheet.rows]
    debts = [yen for yen in yens if yen]
    return len(debts) if debts and all(yen < 0 for yen in debts) else 0


def shown_totals(
    sheet: LaidSheet, factor: int, lets: Sequence[ReadTenancy], units: Sequence[ReadUnit]
) -> Iterator[ShownTotal]:
    """Yield a sheet's sums of rent, deposits and debts: of the whole, or of its parts added up.

    Of two columns with the same name only the first is a sum: the deposits held, not those agreed.
    """
    shown: set[str] = set()
    for meaning, name, read in _read_sums(sheet, factor, lets, units):
        if name in shown or (meaning is Meaning.BALANCE and balance_is_credit(sheet, factor)):
            continue
        amounts = [row.amount(meaning, factor) for row in sheet.totals]
        yens = [amount.yen for amount in amounts if amount.stated is Stated.YEN and amount.yen > 0]
        if yens:
            shown.add(name)
            yen = sum(yens) if sum(yens) in read else max(yens)
            title = sheet.totals[-1].head(meaning).title
            yield ShownTotal(name, title, yen, min(read), yen in read)


def _read_sums(
    sheet: LaidSheet, factor: int, lets: Sequence[ReadTenancy], units: Sequence[ReadUnit]
) -> Iterable[tuple[Meaning, str, set[int]]]:
    """Return what a sum of a column may be, by the rows as they were read."""
    rent = sum(let.rent or 0 for let in lets)
    asked = sum(unit.asking_rent or 0 for unit in units)
    held = sum(let.deposit_held or 0 for let in lets)
    unpaid = sum(debt.yen for let in lets for debt in let.unpaid)
    overpaid = sum(let.overpaid for let in lets)
    monthly = sum(let.monthly for let in lets)
    vacant = asked + sum(sum(unit.fees.values()) for unit in units)
    carried = sum(row.amount(Meaning.CARRIED, factor).yen for row in sheet.rows)
    return (
        (Meaning.RENT, "rent", {rent, rent + asked}),
        (Meaning.DEPOSIT_HELD, "depositHeld", {held}),
        (Meaning.DEPOSIT, "depositHeld", {held}),
        (Meaning.UNPAID, "unpaid", {unpaid}),
        (Meaning.OVERPAID, "overpaid", {overpaid}),
        (Meaning.MONTHLY, "monthly", {monthly, monthly + asked, monthly + vacant}),
        (Meaning.BILLED, "monthly", {monthly, monthly + carried}),
        (Meaning.BALANCE, "unpaidLessOverpaid", {unpaid - overpaid}),
    )


_SUMS: Final = (
    ("unpaid", re.compile(r"未収|滞納|未納|未払|unpaid|arrears|outstanding", re.IGNORECASE)),
    ("depositHeld", re.compile(r"敷金|預り|保証金|deposit", re.IGNORECASE)),
    ("rent", re.compile(r"賃料|家賃|rent", re.IGNORECASE)),
    ("monthly", re.compile(r"月額|合計|monthly|total", re.IGNORECASE)),
)


def read_building_sums(sheet: LaidSheet, houses: Collection[str] | None) -> dict[str, int]:
    """Return the sums of rents, deposits and debts in a sheet of one line per building.

    Only lines of known `houses` count; None counts every line, to find what the sheet is.
    """
    lines = [cells for cells in sheet.words if sum(1 for cell in cells if cell.strip()) > 1]
    if len(lines) < 2 or not re.search(r"建物|物件|棟|building|property", lines[0][0], re.I):
        return {}
    found: dict[str, int] = {}
    for place, title in enumerate(lines[0]):
        name = next((name for name, words in _SUMS if words.search(title)), None)
        if name is None or name in found:
            continue
        amounts = [
            money(cells[place])
            for cells in lines[1:]
            if place < len(cells)
            and not is_total(cells)
            and (houses is None or building_key(cells[0]) in houses)
        ]
        if amounts and all(amount.stated in (Stated.YEN, Stated.NOTHING) for amount in amounts):
            found[name] = sum(amount.yen for amount in amounts)
    return found


def ask_about_the_file(taken: TakeOver, fee_titles: Iterable[str], unknown: Iterable[str]) -> None:
    """Ask for the days and names that apply to the whole file, and about unknown columns."""
    if not taken.units:
        return
    _ask_about_days(taken)
    if taken.lacks_starts:
        _ask(taken, "no_starts", None)
    if any(unit.building is None for unit in taken.units):
        _ask(taken, "house_without_name", None)
    for title in fee_titles:
        _ask(taken, "new_fee", None, title=title)
    for title in unknown:
        _ask(taken, "unknown_column", None, title=title)
    is_asked = any(question.code == "deposit_unknown" for question in taken.about_rows)
    if taken.tenancies and all(let.deposit is None for let in taken.tenancies) and not is_asked:
        _ask(taken, "no_deposits", None)


def _ask_about_days(taken: TakeOver) -> None:
    near = taken.as_of or taken.read_on
    if taken.as_of is None and taken.billed_through is None:
        proposal = {"asOf": taken.read_on, "billedThrough": month_last(near)}
        _ask(taken, "as_of_and_billed", proposal)
    elif taken.as_of is None:
        _ask(taken, "as_of", {"asOf": taken.read_on})
    elif taken.billed_through is None:
        _ask(taken, "billed_through", {"billedThrough": month_last(near)}, as_of=str(near))


def _ask(taken: TakeOver, code: str, proposal: Any, **facts: str) -> None:
    taken.about_the_file.append(Question(code, proposal=proposal, facts=facts))


def holder_of(taken: TakeOver, name: str) -> ReadTenancy | None:
    """Return the only tenancy with a person of this name; None for none or several."""
    wanted = building_key(name)
    found = [
        let
        for let in taken.tenancies
        if wanted and any(building_key(person.name) == wanted for person in let.people)
    ]
    return found[0] if len(found) == 1 else None


def add_summaries(taken: TakeOver, sheets: Sequence[LaidSheet]) -> None:
    """Add the sums from summary sheets, where the rolls have no sums of their own."""
    houses = {building_key(unit.building) for unit in taken.units if unit.building}
    for sheet in sheets:
        if not sheet.is_roll:
            for name, yen in read_building_sums(sheet, houses).items():
                taken.shown_totals.setdefault(name, yen)


def is_of_the_head(sheet: LaidSheet, passed: Passed) -> bool:
    """Whether a passed line is already reported with its sheet: a title or a header row."""
    return bool(sheet.name) and (passed.why == "title" or passed.why.startswith("header"))


def number_in(at: str) -> int:
    """Return the row number at the end of a place."""
    digits = re.search(r"\d+$", at)
    return int(digits[0]) if digits else 0


def month_of_head(head: Head, near: date) -> date | None:
    """Return the first day of a column's month; without a year, the one nearest to `near`."""
    if head.month is None:
        return None
    year, month = head.month
    return date(year, month, 1) if year else nearest_month(month, near)


def is_marked(cell: str) -> bool:
    """Whether a cell of a month's column states anything about the month."""
    return bool(plain(cell).strip("-ー－― "))
