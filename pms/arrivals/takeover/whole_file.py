"""What applies to a whole file: the order of its days, its signs and legends, and whose account it is."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from pms.arrivals.takeover.laid_rows import LaidRow, LaidSheet, Passed, heads_of_rows
from pms.arrivals.takeover.taken import ReadTenancy, TakeOver
from pms.rules.roll_cells import Money, Stated
from pms.rules.roll_dates import day_order
from pms.rules.roll_heads import DayOrder, Meaning, SheetHead, fold_title
from pms.rules.roll_legends import Sign, plain_sign
from pms.rules.room_names import building_key


def tells_rent(sheet: LaidSheet) -> bool:
    """Whether a sheet states monthly amounts, and not only debts or deposits."""
    row = sheet.rows[0]
    return row.has(Meaning.RENT) or row.has(Meaning.MONTHLY) or row.has(Meaning.BILLED)


def tells_start(row: LaidRow) -> bool:
    """Whether a table has a column for the start of a tenancy."""
    return any(row.has(meaning) for meaning in (Meaning.START, Meaning.TERM, Meaning.OWN_TERMS))


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


def _billed_paid_balance(row: LaidRow, factor: int) -> tuple[Money, Money, Money]:
    return (
        row.amount(Meaning.BILLED, factor),
        row.amount(Meaning.PAID, factor),
        row.amount(Meaning.BALANCE, factor),
    )


def holder_of(taken: TakeOver, name: str) -> ReadTenancy | None:
    """Return the only tenancy with a person of this name; None for none or several."""
    wanted = building_key(name)
    found = [
        let
        for let in taken.tenancies
        if wanted and any(building_key(person.name) == wanted for person in let.people)
    ]
    return found[0] if len(found) == 1 else None


def is_of_the_head(sheet: LaidSheet, passed: Passed) -> bool:
    """Whether a passed line is already reported with its sheet: a title or a header row."""
    return bool(sheet.name) and (passed.why == "title" or passed.why.startswith("header"))


def number_in(at: str) -> int:
    """Return the row number at the end of a place."""
    digits = re.search(r"\d+$", at)
    return int(digits[0]) if digits else 0
