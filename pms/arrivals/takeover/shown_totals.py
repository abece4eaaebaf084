"""The sums that a file states."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pms.arrivals.takeover.laid_rows import LaidSheet
from pms.arrivals.takeover.taken import ReadTenancy, ReadUnit
from pms.rules.roll_cells import Stated, money, plain
from pms.rules.roll_heads import Meaning, head_of
from pms.rules.roll_legends import Sign
from pms.rules.roll_line_kinds import is_total

_NAMED_SUM: Final = re.compile(r"(\D{1,12}?)\s*[:=]?\s*([¥\\]?\d[\d,]*円?)")
_NAMES_OF_SUMS: Final = {
    Meaning.RENT: "rent",
    Meaning.DEPOSIT: "depositHeld",
    Meaning.DEPOSIT_HELD: "depositHeld",
    Meaning.UNPAID: "unpaid",
    Meaning.OVERPAID: "overpaid",
}


class ShownTotal(NamedTuple):
    """The sum of one column in a sheet, and the sum of its rows as read."""

    name: str
    title: str
    yen: int
    read_yen: int
    is_read: bool
    """Whether the rows match it, with or without the asking rents of vacant rooms."""


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
    # What a sum of a column may be, by the rows as they were read.
    rent = sum(let.rent or 0 for let in lets)
    asked = sum(unit.asking_rent or 0 for unit in units)
    held = sum(let.deposit_held or 0 for let in lets)
    unpaid = sum(debt.yen for let in lets for debt in let.unpaid)
    overpaid = sum(let.overpaid for let in lets)
    monthly = sum(let.monthly for let in lets)
    vacant = asked + sum(sum(unit.fees.values()) for unit in units)
    carried = sum(row.amount(Meaning.CARRIED, factor).yen for row in sheet.rows)
    sums = (
        (Meaning.RENT, "rent", {rent, rent + asked}),
        (Meaning.DEPOSIT_HELD, "depositHeld", {held}),
        (Meaning.DEPOSIT, "depositHeld", {held}),
        (Meaning.UNPAID, "unpaid", {unpaid}),
        (Meaning.OVERPAID, "overpaid", {overpaid}),
        (Meaning.MONTHLY, "monthly", {monthly, monthly + asked, monthly + vacant}),
        (Meaning.BILLED, "monthly", {monthly, monthly + carried}),
        (Meaning.BALANCE, "unpaidLessOverpaid", {unpaid - overpaid}),
    )
    for meaning, name, read in sums:
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
