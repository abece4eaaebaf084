"""Days, months and amounts as people type them; what cannot be read is refused in a line."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, NoReturn

import click

from pms.foundation.errors import Refused
from pms.rules.days import month_last, strict_day
from pms.rules.yen import AmountProblem, RefusedAmount, read_percent, read_typed_amount

_WHY = {
    AmountProblem.MISSING: "nothing was given",
    AmountProblem.NOT_AN_INTEGER: "it is not a number",
    AmountProblem.HAS_DECIMALS: "it has decimals",
    AmountProblem.HAS_SIGN: "it has a sign",
    AmountProblem.HAS_CURRENCY_SIGN: "it has a currency sign",
    AmountProblem.MISPLACED_COMMA: "a comma is in the wrong place",
    AmountProblem.TOO_SMALL: "it is too small",
    AmountProblem.TOO_LARGE: "it is too large",
}


class _Typed(click.ParamType[Any]):
    """A value whose refusal names the option; click's own would print the usage besides."""

    def refuse(self, param: click.Parameter | None, text: str, why: str) -> NoReturn:
        name = param.opts[0] if param is not None and param.opts else self.name
        raise Refused(f"{name}: '{text[:60]}' is not possible: {why}.")


class Day(_Typed):
    """A day written YYYY-MM-DD."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        day = strict_day(str(value))
        return day or self.refuse(param, str(value), "a day is written like 2026-07-16")


class Month(_Typed):
    """A month written YYYY-MM, read as its last day."""

    name = "month"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        first_on = strict_day(f"{value}-01")
        if first_on is None:
            self.refuse(param, str(value), "a month is written like 2026-07")
        return month_last(first_on)


class Yen(_Typed):
    """Whole yen, with or without commas, in half or full width."""

    name = "yen"

    def __init__(self, minimum_yen: int = 0) -> None:
        self._minimum_yen = minimum_yen

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        reading = read_typed_amount(str(value), self._minimum_yen)
        if isinstance(reading, RefusedAmount):
            why = f"{_WHY[reading.problem]}. Enter whole yen like 93,000"
            self.refuse(param, str(value), why)
        return reading.yen


class Percent(_Typed):
    """An exact percentage from 0 to 100."""

    name = "percent"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        percent = value if isinstance(value, Decimal) else read_percent(str(value))
        if percent is None:
            self.refuse(param, str(value), "enter 0 to 100, such as 5 or 2.75")
        return percent


DAY, MONTH, YEN, PERCENT = Day(), Month(), Yen(), Percent()
POSITIVE_YEN = Yen(minimum_yen=1)


def values(words: type[StrEnum]) -> list[str]:
    """Return the words a choice is made from; click itself would offer their names in Python."""
    return [word.value for word in words]
