"""Periods of months: how long they last, and how many have passed."""

from collections.abc import Callable, Mapping

from pms.rules.periods import full_months, period_end
from tests.rules.worked_cases import Answer, Given, certain_day


def answer_period(given: Given) -> Answer:
    last = period_end(certain_day(given, "first"), given["months"])
    return {"last": last.isoformat()}


def answer_months(given: Given) -> Answer:
    return {"fullMonths": full_months(certain_day(given, "first"), certain_day(given, "day"))}


ANSWERS: Mapping[str, Callable[[Given], Answer]] = {
    "period": answer_period,
    "months": answer_months,
}
