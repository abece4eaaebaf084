"""Reads the month an address names: 2026-10."""

import re
from datetime import date

from pms.foundation.errors import NotFound
from pms.rules.days import add_months, month_first, strict_day

_is_month = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])").fullmatch


def month_named(text: str) -> date:
    """Return the first day of a month; raise `NotFound` for what is none."""
    day = strict_day(f"{text}-01") if _is_month(text) else None
    if day is None:
        raise NotFound("There is no month '{month}'.", month=text[:20])
    return day


def month_asked(text: str | None, today: date) -> date:
    """Return the month of a filter, the one before this where none or no month is asked for."""
    day = strict_day(f"{text}-01") if text and _is_month(text) else None
    return day or add_months(month_first(today), -1)


def name_of(month_on: date) -> str:
    """Return a month as addresses name it."""
    return f"{month_on:%Y-%m}"
