"""Puts days side by side as a picture can show them: days, weeks or months."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Final, NamedTuple

from flask_babel import gettext as _

from pms.rules.days import month_first
from pms.site.website_visits import DayOfVisits
from pms.surfaces.page_words import month

_MOST_DAYS: Final = 31
_MOST_WEEKS: Final = 16


class Bars(NamedTuple):
    """What a bar stands for, and each with its label, page views and visitors."""

    what: str
    bars: Sequence[tuple[str, tuple[int, int]]]


def bars_of_days(days: Sequence[DayOfVisits]) -> Bars:
    """Return a bar a day, a week from Monday on, or a month, as many as can be told apart."""
    if len(days) <= _MOST_DAYS:
        return _bars(_("Day"), days, lambda day: day, _short)
    if len(days) <= _MOST_WEEKS * 7:
        return _bars(_("Week from"), days, _monday, _near)
    return _bars(_("Month"), days, month_first, _month)


def _bars(
    what: str,
    days: Sequence[DayOfVisits],
    first_of: Callable[[date], date],
    said: Callable[[date], str],
) -> Bars:
    bars = []
    for first_on, several in groupby(days, lambda each: first_of(each.day_on)):
        met = list(several)
        seen = sum(each.views for each in met), sum(each.visitors for each in met)
        bars.append((said(first_on), seen))
    return Bars(what, bars)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _near(day: date) -> str:
    return f"{day.month}/{day.day}"


def _short(day: date) -> str:
    """The first of a month alone names the month: thirty labels have little room."""
    return _near(day) if day.day == 1 else str(day.day)


def _month(day: date) -> str:
    return month(day)
