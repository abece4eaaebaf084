"""Debts as they are written in one cell."""

import re
from datetime import date
from typing import Final

from pms.foundation.phrases import Bilingual
from pms.rules.roll_cells import (
    plain,
)
from pms.rules.roll_dates import (
    whole_day,
)
from pms.rules.roll_debts import (
    OPEN_DEBT,
    UnpaidAmount,
    debt_of_word,
    debt_word,
    rent_of,
)
from pms.rules.roll_lines import DueRule
from pms.rules.yen import Amount, read_typed_amount


class UnreadableCell(Exception):
    """The typed text is not valid for the field; the code names what is allowed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


_MONTH_DEBT: Final = re.compile(r"(20\d\d)[-/年.](1[0-2]|0?[1-9])月?分?\s+([\d,]+)円?(?:\s+(\S+))?")
_OTHER_DEBT: Final = re.compile(r"(.{1,60}?)\s+([\d,]+)円?(?:\s+(\S+))?")


def normal_debts(_name: str, text: str) -> str:
    return debts_text(debts_in(text))


def debts_in(text: str) -> tuple[UnpaidAmount, ...]:
    """Read typed debts: `2026-10 20,000; 2026-11 79,000; renewal fee 30,000 2026-12-01`."""
    return tuple(
        _read_debt(part.strip()) for part in re.split(r"[;；\n、]", plain(text)) if part.strip()
    )


def _read_debt(text: str) -> UnpaidAmount:
    if re.fullmatch(r"[\d,]+", text):
        return UnpaidAmount(OPEN_DEBT, _debt_yen(text), None)
    month = _MONTH_DEBT.fullmatch(text)
    if month is not None:
        first = date(int(month[1]), int(month[2]), 1)
        due = _read_due_day(month[4]) if month[4] else DueRule().of_month(first)
        return UnpaidAmount(rent_of(first), _debt_yen(month[3]), due)
    other = _OTHER_DEBT.fullmatch(text)
    if other is None:
        raise UnreadableCell("not_debts")
    return UnpaidAmount(
        debt_of_word(other[1].strip()),
        _debt_yen(other[2]),
        _read_due_day(other[3]) if other[3] else None,
    )


def _debt_yen(text: str) -> int:
    amount = read_typed_amount(text)
    if not isinstance(amount, Amount) or not amount.yen:
        raise UnreadableCell("not_debts")
    return amount.yen


def _read_due_day(text: str) -> date:
    day = whole_day(text)
    if day is None:
        raise UnreadableCell("not_debts")
    return day


def debts_text(debts: tuple[UnpaidAmount, ...]) -> str:
    """Return debts in the form in which they are typed."""
    return "; ".join(_debt_text(debt) for debt in debts)


def debts_in_japanese(text: str) -> str:
    """Return debts in the form in which they are typed, with other debts named in Japanese."""
    return "; ".join(_in_japanese(debt) for debt in debts_in(text))


def _in_japanese(debt: UnpaidAmount) -> str:
    text = _debt_text(debt)
    return text if debt.is_rent else text.replace(debt.what, debt_word(debt.what), 1)


def debt_label(what: str) -> Bilingual:
    """Return what a debt is for, in both languages, for a question about it."""
    return Bilingual(debt_word(what), what)


def _debt_text(debt: UnpaidAmount) -> str:
    if debt.is_rent:
        month = debt.what.removeprefix("rent ")
        usual = DueRule().of_month(date.fromisoformat(f"{month}-01"))
        due = "" if debt.due_on == usual else f" {debt.due_on}"
        return f"{month} {debt.yen:,}{due}"
    if debt.what == OPEN_DEBT and debt.due_on is None:
        return f"{debt.yen:,}"
    return f"{debt.what} {debt.yen:,}" + (f" {debt.due_on}" if debt.due_on else "")
