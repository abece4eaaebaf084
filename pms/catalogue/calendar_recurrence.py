"""Unrolls the repetitions channels and offices use, never further than a horizon.

Every rule is walked day by day or month by month up to the horizon, so that no rule, however
endless or contradictory, costs more than the days in between.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice, takewhile
from typing import Any, Final

from pms.rules.days import ONE_DAY, add_months

HORIZON_DAYS: Final = 550
MOST_OCCURRENCES: Final = 400
EARLIEST_START: Final = date(2000, 1, 1)

_WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEK: Final = 7
_MOST_DAYS: Final = 100_000
_KNOWN: Final = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "WKST"})
_SAID_BY_START: Final = {"MONTHLY": {"BYMONTHDAY"}, "YEARLY": {"BYMONTHDAY", "BYMONTH"}}


@dataclass(frozen=True, slots=True)
class Rule:
    """A repetition this program reads, in the days of its event's own zone.

    `shift` leads from a day of that zone to the one in Japan.
    """

    every: str
    interval: int
    weekdays: frozenset[int]
    week_starts_on: int
    count: int | None
    until_on: date | None
    shift: timedelta


def read_rule(
    parts: Mapping[str, Any], start_on: date, until_on: date | None, shift: timedelta
) -> Rule | None:
    """The rule, or None for one that this program does not read.

    `start_on` is the day in the event's own zone, `until_on` one in Japan.
    """
    every = str(_one(parts, "FREQ") or "").upper()
    weekdays = [str(day).upper() for day in parts.get("BYDAY", ())]
    if every not in _STEPS or start_on < EARLIEST_START:
        return None
    if not _says_no_more(parts, every, start_on) or not set(weekdays) <= set(_WEEKDAYS):
        return None
    if weekdays and every in ("MONTHLY", "YEARLY"):
        return None
    return Rule(
        every=every,
        interval=max(1, int(_one(parts, "INTERVAL") or 1)),
        weekdays=frozenset(map(_WEEKDAYS.index, weekdays)),
        week_starts_on=_WEEKDAYS.index(str(_one(parts, "WKST") or "MO").upper()),
        count=_count(_one(parts, "COUNT")),
        until_on=until_on,
        shift=shift,
    )


def _count(given: Any) -> int | None:
    """How often it happens; more often than there are days makes no difference."""
    return None if given is None else min(max(0, int(given)), _MOST_DAYS)


def _says_no_more(parts: Mapping[str, Any], every: str, start_on: date) -> bool:
    """Whether every part is known, or repeats what the start says already."""
    said = {"BYMONTHDAY": start_on.day, "BYMONTH": start_on.month}
    for name in parts:
        if name in _KNOWN:
            continue
        values = [int(value) for value in parts[name]] if name in said else []
        if name not in _SAID_BY_START.get(every, set()) or values != [said.get(name)]:
            return False
    return True


def _one(parts: Mapping[str, Any], name: str) -> Any:
    values = parts.get(name)
    return values[0] if isinstance(values, list) and values else None


def occurrences(rule: Rule, start_on: date, horizon_on: date) -> Iterator[date]:
    """The days in Japan on which it starts, from the first up to the horizon."""
    last_on = horizon_on if rule.until_on is None else min(horizon_on, rule.until_on)
    days = _STEPS[rule.every](rule, start_on - rule.shift, horizon_on - rule.shift)
    in_japan = (day + rule.shift for day in islice(days, rule.count))
    yield from takewhile(lambda day: day <= last_on, in_japan)


def is_endless_beyond(rule: Rule, start_on: date, horizon_on: date) -> bool:
    """Whether the rule goes on after the horizon."""
    if rule.until_on is not None and rule.until_on <= horizon_on:
        return False
    return (
        rule.count is None or sum(1 for _ in occurrences(rule, start_on, horizon_on)) < rule.count
    )


def _days(rule: Rule, start_on: date, horizon_on: date) -> Iterator[date]:
    day, step = start_on, min(rule.interval, (horizon_on - start_on).days + 1)
    while day <= horizon_on:
        if not rule.weekdays or day.weekday() in rule.weekdays:
            yield day
        day += timedelta(days=max(1, step))


def _weeks(rule: Rule, start_on: date, horizon_on: date) -> Iterator[date]:
    weekdays = rule.weekdays or {start_on.weekday()}
    first_week = start_on - timedelta(days=(start_on.weekday() - rule.week_starts_on) % _WEEK)
    day = start_on
    while day <= horizon_on:
        weeks = (day - first_week).days // _WEEK
        if weeks % rule.interval == 0 and day.weekday() in weekdays:
            yield day
        day += ONE_DAY


def _months(months: int) -> Callable[[Rule, date, date], Iterator[date]]:
    def step(rule: Rule, start_on: date, horizon_on: date) -> Iterator[date]:
        number, most = 0, (horizon_on.year - start_on.year + 1) * 12
        while number <= most:
            day = add_months(start_on, number)
            # The 31st of a month that has none is no occurrence.
            if day.day == start_on.day:
                yield day
            number += min(months * rule.interval, most + 1)

    return step


_STEPS: Final[dict[str, Callable[[Rule, date, date], Iterator[date]]]] = {
    "DAILY": _days,
    "WEEKLY": _weeks,
    "MONTHLY": _months(1),
    "YEARLY": _months(12),
}
