"""A bank's list of movements as a table: columns found by headings, rows put in order.

Banks agree only that a row has a day, an amount and mostly the balance after it. The balances
show in which order the list runs and whether a row is missing.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.rules.bank_columns import (
    BankTableFault,
    PassedLine,
    PassOver,
    TableColumns,
    TableFault,
    TableLine,
    TableRole,
)
from pms.rules.bank_statements import (
    BankAccount,
    BankRow,
    BankStatement,
    MoneyMove,
    days_of,
    move_of_words,
)
from pms.rules.roll_dates import is_serial, whole_day

# As many digits as the records of banks have for an amount and for a balance.
_MOST_DIGITS: Final = 12
_MOST_BALANCE_DIGITS: Final = 14
_MOST_SHOWN: Final = 60
LONGEST_TEXT: Final = 300
"""How many letters of a name or a note a row may hold; no bank writes as many."""

_ERAS: Final = {"R": 2018, "令和": 2018, "H": 1988, "平成": 1988, "S": 1925, "昭和": 1925}
_CENTURY: Final = 2000
_DAY: Final = re.compile(
    r"(?P<era>R|H|S|令和|平成|昭和)?(?P<year>\d{4}|\d{1,2}|元)[./年-](?P<month>\d{1,2})[./月-](?P<day>\d{1,2})日?"
    r"(?:[ T]\d.*|\(.\))?",
    re.IGNORECASE,
)
_PLAIN_DAY: Final = re.compile(r"(?P<year>\d{4}|\d{2})(?P<month>\d{2})(?P<day>\d{2})")
_AMOUNT: Final = re.compile(
    r"(?P<open>[(\[])?(?P<minus>[-▲△−])?\+?[¥\\]?(?P<minus2>[-▲△−])?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?:\.0{1,2})?円?(?P<behind>[-▲△−])?(?P<close>[)\]])?"
)
_NO_AMOUNT: Final = frozenset({"", "-", "ー", "－", "―", "‐", "−", "–", "—"})
_CARRIED: Final = re.compile(
    r"(?:前|次|翌)?(?:月|期|頁|ページ)?(?:より|から|へ)?の?繰越(?:し|金|残高|金額|額)*"
    r"|opening balance|closing balance|(?:balance )?(?:brought|carried) forward",
    re.IGNORECASE,
)
_IN: Final = ("入", "受", "預")
_OUT: Final = ("出", "払", "支")
_TOTAL: Final = re.compile(r"^(合計|総計|小計|total|計$|残高$|\*+)", re.IGNORECASE)
_TOTAL_OF_DAY: Final = re.compile(
    r"(?:[当今]月|月間|期間|入金|出金|入出金)?(?:合計|総計|小計|累計|月計|日計|計|totals?)(?:額|金額)?",
    re.IGNORECASE,
)
_TRANSFERRED: Final = re.compile(
    r"^(?:(?:電信|給与|ﾌﾘｺﾐ|フリコミ|振込入金|振込|お振込)[ＩI]?[0-9]?)(?:[*:／/\s　-]+(?P<payer>.+)|$)"
)


class TableRead(NamedTuple):
    """A table that was read: its movements, oldest first, and the lines that are none."""

    statement: BankStatement
    passed: tuple[PassedLine, ...]


def read_table(
    lines: Sequence[TableLine], columns: TableColumns, account: BankAccount, today: date
) -> TableRead:
    """Read the movements of a table; one fault refuses the whole table.

    Years of two digits are read as the ones nearest to `today`. Every line is a movement or is
    passed over with a reason.
    """
    below = [line for line in lines if line.line > columns.line]
    head = next(line for line in lines if line.line == columns.line)
    if head.is_broken:
        raise BankTableFault(TableFault.QUOTES, line=head.line)
    passed = [
        _passed_line(line, PassOver.ABOVE)
        for line in lines
        if line.line < head.line and any(line.cells)
    ]
    movements: list[TableLine] = []
    for line in below:
        if line.is_broken:
            raise BankTableFault(TableFault.QUOTES, line=line.line)
        if not any(cell.strip() for cell in line.cells):
            continue
        reason = _reason_to_pass(line, columns, head)
        if reason is None:
            if line.is_shifted:
                wanted = len(columns.heads)
                raise BankTableFault(
                    TableFault.CELLS, line=line.line, found=len(line.cells), wanted=wanted
                )
            if line.split_amount:
                raise BankTableFault(TableFault.SPLIT, line=line.line, found=line.split_amount)
            movements.append(line)
        else:
            passed.append(_passed_line(line, reason))
    out_is_negative = _is_out_negative(movements, columns)
    rows = [_read_row(line, columns, today, out_is_negative=out_is_negative) for line in movements]
    if not rows:
        raise BankTableFault(TableFault.EMPTY, line=columns.line)
    _check_passed_balances(below, passed, rows, columns)
    in_order = _in_order(rows)
    numbered = tuple(
        replace(row, number=row.number or f"{place:08d}") for place, row in enumerate(in_order, 1)
    )
    first_on, last_on = days_of(numbered)
    opening = closing = None
    if numbered[0].balance_yen is not None:
        opening = numbered[0].balance_yen - _signed_yen(numbered[0])
        closing = numbered[-1].balance_yen
    statement = BankStatement(account, first_on, last_on, opening, closing, numbered)
    return TableRead(statement, tuple(passed))


def _passed_line(line: TableLine, reason: PassOver) -> PassedLine:
    words = " ".join(cell.strip() for cell in line.cells if cell.strip())
    return PassedLine(line.line, words[:_MOST_SHOWN], reason)


def _reason_to_pass(line: TableLine, columns: TableColumns, head: TableLine) -> PassOver | None:
    """Return why a line is no movement; None for a movement, or what may be one."""
    filled = [cell.strip() for cell in line.cells if cell.strip()]
    amounts = [_read_cell(line, columns, role) for role in AMOUNTS]
    has_amount = any(text not in _NO_AMOUNT and _read_yen(text) != 0 for text in amounts)
    # A note may stand in the first column, which is that of the days.
    days = [_read_cell(line, columns, role) for role in (TableRole.DAY, TableRole.YEAR)]
    has_day = any(letter.isdigit() for day in days for letter in day) or (has_amount and any(days))
    reason = None
    if filled == [cell.strip() for cell in head.cells if cell.strip()]:
        reason = PassOver.HEAD
    elif _TOTAL.match(normalize("NFKC", filled[0])):
        reason = PassOver.TOTAL
    elif not has_day and not has_amount:
        # Some lists end with notes: lines with neither a day nor an amount.
        reason = PassOver.NOTE
    elif not has_day and any(_TOTAL.match(cell) for cell in filled):
        reason = PassOver.TOTAL
    elif has_day and not line.is_shifted:
        texts = [normalize("NFKC", cell) for cell in filled]
        if any(_TOTAL_OF_DAY.fullmatch(text) for text in texts):
            reason = PassOver.TOTAL
        # A balance that is carried forward may stand under the amounts, too: it moves nothing.
        elif not has_amount or any(_CARRIED.fullmatch(text) for text in texts):
            reason = PassOver.NOTHING_MOVED
    return reason


AMOUNTS: Final = (TableRole.PAID_IN, TableRole.PAID_OUT, TableRole.AMOUNT)
"""The columns with the yen that moved."""


def _check_passed_balances(
    below: Sequence[TableLine],
    passed: Sequence[PassedLine],
    rows: Sequence[BankRow],
    columns: TableColumns,
) -> None:
    """Refuse a line without an amount whose balance is none of the rows': its amount is missing.

    Where a balance is carried forward as money out, 0 stands behind it.
    """
    known = {row.balance_yen for row in rows if row.balance_yen is not None}
    known |= {row.balance_yen - _signed_yen(row) for row in rows if row.balance_yen is not None}
    silent = {line.line for line in passed if line.reason is PassOver.NOTHING_MOVED}
    for line in below:
        balance = _read_yen(_read_cell(line, columns, TableRole.BALANCE), _MOST_BALANCE_DIGITS)
        is_carried_out = balance == 0 and any(
            _read_yen(_read_cell(line, columns, role)) for role in AMOUNTS
        )
        is_missing = balance is not None and known and balance not in known
        if line.line in silent and is_missing and not is_carried_out:
            role = TableRole.AMOUNT if TableRole.AMOUNT in columns.places else TableRole.PAID_IN
            raise _build_fault(TableFault.NO_AMOUNT, line, columns, role)


def _move_and_payer(text: str, payer: str, is_deposit: bool) -> tuple[MoneyMove, str]:
    """Return the kind of a movement and who paid, by the words of the row."""
    move = move_of_words(text, MoneyMove.OTHER)
    if move is MoneyMove.OTHER and payer:
        move = move_of_words(payer, MoneyMove.OTHER)
    found = _TRANSFERRED.match(normalize("NFKC", text))
    if found:
        return MoneyMove.TRANSFER, payer or (found["payer"] or "").strip()
    if move is not MoneyMove.OTHER:
        return move, payer
    # A list without a kind of movement has only a name: the person named has paid.
    is_payment = is_deposit and bool(payer or text) and (text in {"", "入金"} or not payer)
    return MoneyMove.TRANSFER if is_payment else move, payer or text


def _read_row(
    line: TableLine, columns: TableColumns, today: date, *, out_is_negative: bool
) -> BankRow:
    for role in (TableRole.TEXT, TableRole.PAYER, TableRole.MESSAGE, TableRole.NUMBER):
        if len(_read_cell(line, columns, role)) > LONGEST_TEXT:
            raise _build_fault(TableFault.TOO_LONG, line, columns, role)
    yen = _amount_of(line, columns, out_is_negative=out_is_negative)
    is_deposit = yen > 0
    text = _read_cell(line, columns, TableRole.TEXT)
    move, payer = _move_and_payer(text, _read_cell(line, columns, TableRole.PAYER), is_deposit)
    balance_text = _read_cell(line, columns, TableRole.BALANCE)
    balance = _read_yen(balance_text, _MOST_BALANCE_DIGITS)
    if balance is None and balance_text.strip("*＊") not in _NO_AMOUNT:
        raise _build_fault(TableFault.NO_AMOUNT, line, columns, TableRole.BALANCE)
    return BankRow(
        line.line,
        _read_cell(line, columns, TableRole.NUMBER),
        _day_of(line, columns, today),
        is_deposit,
        move,
        abs(yen),
        payer,
        _read_cell(line, columns, TableRole.MESSAGE),
        text,
        balance_yen=balance,
        is_broken="\ufffd" in payer,
    )


def _read_cell(line: TableLine, columns: TableColumns, role: TableRole) -> str:
    place = columns.places.get(role)
    if place is None or place >= len(line.cells):
        return ""
    return line.cells[place].strip().lstrip("'").strip("\u3000 ")


def _is_out_negative(lines: Sequence[TableLine], columns: TableColumns) -> bool:
    """Whether a bank writes all money out with a minus: the column says the direction already."""
    if TableRole.AMOUNT in columns.places:
        amounts = [
            _read_yen(_read_cell(line, columns, TableRole.AMOUNT))
            for line in lines
            if _is_money_in(line, columns) is False
        ]
    else:
        amounts = [_read_yen(_read_cell(line, columns, TableRole.PAID_OUT)) for line in lines]
    given = [yen for yen in amounts if yen]
    return bool(given) and all(yen < 0 for yen in given)


def _amount_of(line: TableLine, columns: TableColumns, *, out_is_negative: bool) -> int:
    """The yen of a row, negative for money out.

    A sign never turns the direction of a column: a minus that is not the bank's way of writing money
    out is refused, because it may take an earlier row back.
    """
    if TableRole.AMOUNT in columns.places:
        return _amount_and_direction(line, columns, out_is_negative=out_is_negative)
    found = []
    for role, sign in ((TableRole.PAID_IN, 1), (TableRole.PAID_OUT, -1)):
        text = _read_cell(line, columns, role)
        yen = _read_yen(text)
        if yen is None and text not in _NO_AMOUNT:
            raise _build_fault(TableFault.NO_AMOUNT, line, columns, role)
        if yen and yen < 0 and not (role is TableRole.PAID_OUT and out_is_negative):
            raise _build_fault(TableFault.SIGN, line, columns, role)
        if yen:
            found.append(sign * abs(yen))
    if len(found) != 1:
        fault = TableFault.TWO_AMOUNTS if found else TableFault.NO_AMOUNT
        raise _build_fault(fault, line, columns, TableRole.PAID_IN)
    return found[0]


def _amount_and_direction(line: TableLine, columns: TableColumns, *, out_is_negative: bool) -> int:
    yen = _read_yen(_read_cell(line, columns, TableRole.AMOUNT))
    if not yen:
        raise _build_fault(TableFault.NO_AMOUNT, line, columns, TableRole.AMOUNT)
    if TableRole.DIRECTION not in columns.places:
        return yen
    is_in = _is_money_in(line, columns)
    if is_in is None:
        raise _build_fault(TableFault.NO_DIRECTION, line, columns, TableRole.DIRECTION)
    if yen < 0 and (is_in or not out_is_negative):
        raise _build_fault(TableFault.SIGN, line, columns, TableRole.AMOUNT)
    return yen if is_in else -abs(yen)


def _is_money_in(line: TableLine, columns: TableColumns) -> bool | None:
    """What the column with the direction says; None where it says neither."""
    word = normalize("NFKC", _read_cell(line, columns, TableRole.DIRECTION))
    if word.startswith(_IN) or word == "1":
        return True
    return False if word.startswith(_OUT) or word == "2" else None


def _read_yen(text: str, most_digits: int = _MOST_DIGITS) -> int | None:
    """Return an amount in yen, with △, ▲, a minus or brackets as negative; else None."""
    found = _AMOUNT.fullmatch(re.sub(r"\s", "", normalize("NFKC", text)))
    digits = found["digits"].replace(",", "") if found else ""
    if found is None or len(digits) > most_digits or bool(found["open"]) != bool(found["close"]):
        return None
    yen = int(digits)
    signs = found["minus"], found["minus2"], found["behind"], found["open"]
    return -yen if any(signs) else yen


def _day_of(line: TableLine, columns: TableColumns, today: date) -> date:
    if TableRole.DAY in columns.places:
        role = TableRole.DAY
        found = read_bank_day(_read_cell(line, columns, role), today)
    else:
        role = TableRole.YEAR
        parts = (TableRole.YEAR, TableRole.MONTH, TableRole.DAY_OF_MONTH)
        found = read_bank_day("/".join(_read_cell(line, columns, part) for part in parts), today)
    if found is None:
        raise _build_fault(TableFault.NO_DAY, line, columns, role)
    return found


def read_bank_day(text: str, today: date) -> date | None:
    """Read a day as banks write it (2026/11/1, 20261101, R8.11.1, 令和8年11月1日), else None.

    A small year without the era's letter is a year of the current era or of this century (8/11/1,
    26/11/1, 261101): whichever day is nearer to `today`. The serial number of a spreadsheet is no
    day here.
    """
    plain = normalize("NFKC", text).strip()
    found = _PLAIN_DAY.fullmatch(plain) or _DAY.fullmatch(plain)
    if found is None:
        return None if is_serial(plain) else whole_day(plain)
    year = 1 if found["year"] == "元" else int(found["year"])
    era = found.groupdict().get("era")
    if era:
        years = [year + _ERAS[era.upper()]]
    elif found["year"] == "元":
        years = [year + _ERAS["R"]]
    elif len(found["year"]) != 4:
        years = [year + _ERAS["R"], year + _CENTURY]
    else:
        years = [year]
    days = []
    for this_year in years:
        with suppress(ValueError):
            days.append(date(this_year, int(found["month"]), int(found["day"])))
    return min(days, key=lambda day: abs(day - today), default=None)


def _in_order(rows: Sequence[BankRow]) -> Sequence[BankRow]:
    """Return the rows oldest first, as their balances chain; refuse when neither order fits."""
    if any(row.balance_yen is None for row in rows):
        is_falling = rows[0].booked_on > rows[-1].booked_on
        return rows[::-1] if is_falling else rows
    backwards = rows[::-1]
    forth, back = _first_break(rows), _first_break(backwards)
    if forth is None and back is None and rows[0].booked_on > rows[-1].booked_on:
        return backwards
    if forth is None:
        return rows
    if back is None:
        return backwards
    way, at = (rows, forth) if rows[0].booked_on <= rows[-1].booked_on else (backwards, back)
    before = way[at - 1].balance_yen or 0
    raise BankTableFault(
        TableFault.BALANCE,
        line=way[at].line,
        found=way[at].balance_yen or 0,
        wanted=before + _signed_yen(way[at]),
    )


def _first_break(rows: Sequence[BankRow]) -> int | None:
    for place in range(1, len(rows)):
        before, row = rows[place - 1].balance_yen or 0, rows[place]
        if before + _signed_yen(row) != row.balance_yen:
            return place
    return None


def _signed_yen(row: BankRow) -> int:
    return row.yen if row.is_deposit else -row.yen


def _build_fault(
    fault: TableFault, line: TableLine, columns: TableColumns, role: TableRole
) -> BankTableFault:
    head = columns.heads[columns.places[role]]
    found = _read_cell(line, columns, role)[:_MOST_SHOWN]
    return BankTableFault(fault, line=line.line, column=head[:_MOST_SHOWN], found=found)
