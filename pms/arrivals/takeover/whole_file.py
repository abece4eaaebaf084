"""What applies to a whole file: sheets of earlier months, what was billed, and its sums."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from pms.arrivals.takeover.instructions import FileDays
from pms.arrivals.takeover.laid_rows import LaidRow, LaidSheet, Passed, heads_of_rows
from pms.arrivals.takeover.taken import ReadTenancy, ReadUnit, TakeOver
from pms.rules.days import ONE_DAY, month_last
from pms.rules.roll_cells import Money, Stated, money, plain
from pms.rules.roll_dates import day_order, whole_day, whole_month
from pms.rules.roll_heads import DayOrder, Meaning, SheetHead, fold_title, head_of
from pms.rules.roll_legends import DAY_MARK, Mark, Sign, marks_in, plain_sign
from pms.rules.roll_line_kinds import is_floor, is_total
from pms.rules.roll_lines import Facts, nearest_month
from pms.rules.room_names import building_key

_STEP: Final = re.compile(
    r"適用(?:開始)?(?:年月)?日?$|改定(?:年月)?日$|変更(?:年月)?日$|effective(?:from|date|on)?$|stepdate|changedate|fromdate$"
)
_NAMED_SUM: Final = re.compile(r"(\D{1,12}?)\s*[:=]?\s*([¥\\]?\d[\d,]*円?)")
_NAMES_OF_SUMS: Final = {
    Meaning.RENT: "rent",
    Meaning.DEPOSIT: "depositHeld",
    Meaning.DEPOSIT_HELD: "depositHeld",
    Meaning.UNPAID: "unpaid",
    Meaning.OVERPAID: "overpaid",
}
_DAY_ALONE: Final = re.compile(r"\d{1,2}[/月]\d{1,2}日?")
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


def role_of_sheet(sheet: LaidSheet, earlier: Collection[str], rolls: Collection[LaidSheet]) -> str:
    """Return what a sheet is to the file, in words; `rolls` are those whose tenancies are read."""
    if sheet.is_empty or sheet.left_out:
        return sheet.left_out or "empty"
    if sheet.is_roll:
        return _role_of_table(sheet, earlier, rolls)
    if read_building_sums(sheet, None):
        return "summary, no tenancies"
    if any(is_floor(cells) for cells in sheet.words):
        return "floor list, no tenancies"
    return "no tenancies"


def _role_of_table(sheet: LaidSheet, earlier: Collection[str], rolls: Collection[LaidSheet]) -> str:
    if is_of_rent_steps(sheet):
        return "rent steps, no tenancies"
    if sheet.key in earlier:
        return "earlier month"
    return "roll" if sheet in rolls else "beside the roll"


def order_of_days(sheets: Iterable[LaidSheet]) -> DayOrder | None:
    """Return the order of days with the year last, if a cell of the sheets makes it clear."""
    return day_order(
        cell
        for sheet in sheets
        for row in sheet.rows
        for meaning in (Meaning.START, Meaning.END, Meaning.MOVE_OUT)
        if (cell := row.cell(meaning))
    )


def sign_of_balance(sheet: LaidSheet, factor: int) -> Sign | None:
    """Return what a balance without a sign is; None when the sheet leaves it open.

    A person, the head or a legend says so, or the billed and paid amounts beside it do.
    """
    heads = [head for head in heads_in(sheet) if head.meaning is Meaning.BALANCE]
    sign = next((head.sign for head in heads if head.sign is not None), None)
    if sign is None and heads:
        sign = next((sign for _, sign in legends_of(sheet, heads[0])), None)
    if sign is not None:
        return sign
    votes = Counter(
        balance.yen == paid.yen - billed.yen
        for row in sheet.rows
        for billed, paid, balance in [_billed_paid_balance(row, factor)]
        if balance.stated is billed.stated is Stated.YEN and balance.yen
        if abs(balance.yen) == abs(billed.yen - paid.yen)
    )
    if len(votes) == 1:
        return Sign.AHEAD if votes[True] else Sign.OWED
    return None


def debts_have_minus(sheet: LaidSheet, factor: int) -> bool:
    """Whether a column of debts has several, and each with a minus."""
    yens = [row.amount(Meaning.UNPAID, factor).yen for row in sheet.rows]
    debts = [yen for yen in yens if yen]
    return len(debts) > 1 and all(yen < 0 for yen in debts)


def legends_of(sheet: LaidSheet, head: SheetHead) -> Iterator[tuple[str, Sign]]:
    """Yield the words of a sheet that say what a sign is in a column, those that name it first."""
    texts = [cell for words in sheet.words for cell in words if cell.strip()]
    title = fold_title(head.title)
    found = [(text, sign) for text in texts if (sign := plain_sign(text)) is not None]
    yield from sorted(found, key=lambda legend: title not in fold_title(legend[0]))


def heads_in(sheet: LaidSheet) -> Iterator[SheetHead]:
    """Yield every head of a sheet, as its rows have it."""
    seen: set[tuple[str, int]] = set()
    for heads in (*heads_of_rows(sheet.rows), *sheet.heads):
        for head in heads:
            if (head.title, head.place) not in seen:
                seen.add((head.title, head.place))
                yield head


def is_of_rent_steps(sheet: LaidSheet) -> bool:
    """Whether a sheet lists how rents change, and so no tenancies: a day from which each applies."""
    titles = [fold_title(head.title) for heads in sheet.heads for head in heads]
    has_step = any(_STEP.search(title) for title in titles)
    meanings = {head.meaning for heads in sheet.heads for head in heads}
    return has_step and not meanings & {Meaning.DEPOSIT, Meaning.DEPOSIT_HELD, Meaning.END}


def totals_on_top(sheet: LaidSheet) -> dict[str, int]:
    """Return the sums that a line of totals above a table names in its cells: 敷金４０５，５００円."""
    found: dict[str, int] = {}
    for words in sheet.words:
        if not is_total(words):
            continue
        for cell in words:
            named = _NAMED_SUM.fullmatch(plain(cell))
            meaning = head_of(named[1]).meaning if named else None
            name = _NAMES_OF_SUMS.get(meaning) if meaning else None
            amount = money(named[2]) if named else None
            if name is not None and amount is not None and amount.stated is Stated.YEN:
                found.setdefault(name, amount.yen)
    return found


def _billed_paid_balance(row: LaidRow, factor: int) -> tuple[Money, Money, Money]:
    return (
        row.amount(Meaning.BILLED, factor),
        row.amount(Meaning.PAID, factor),
        row.amount(Meaning.BALANCE, factor),
    )


def shown_totals(
    sheet: LaidSheet,
    factor: int,
    sign: Sign | None,
    lets: Sequence[ReadTenancy],
    units: Sequence[ReadUnit],
) -> Iterator[ShownTotal]:
    """Yield a sheet's sums of rent, deposits and debts: of the whole, or of its parts added up.

    Of two columns with the same name only the first is a sum: the deposits held, not those agreed.
    """
    shown: set[str] = set()
    for meaning, name, read in _read_sums(sheet, factor, lets, units):
        if name in shown:
            continue
        turn = -1 if meaning is Meaning.BALANCE and sign is Sign.AHEAD else 1
        amounts = [row.amount(meaning, factor) for row in sheet.totals]
        yens = [amount.yen * turn for amount in amounts if amount.stated is Stated.YEN]
        yens = [yen for yen in yens if yen > 0]
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


def month_of_head(head: SheetHead, near: date) -> date | None:
    """Return the first day of a column's month; without a year, the one nearest to `near`."""
    if head.month is None:
        return None
    year, month = head.month
    return date(year, month, 1) if year else nearest_month(month, near)


def is_marked(cell: str) -> bool:
    """Whether a cell of a month's column states anything about the month."""
    return bool(plain(cell).strip("-ー－― "))
