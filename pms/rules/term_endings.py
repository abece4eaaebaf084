"""The notice that a fixed term ends (Act on Land and Building Leases, Article 38, paragraph 6)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from pms.rules.days import ONE_DAY, Days
from pms.rules.periods import period_end
from pms.rules.policy import Policy

_MONTHS_OF_A_YEAR: Final = 12
_MONTHS_OF_NOTICE: Final = 6
_DAYS_OF_HALF_A_YEAR: Final = 180
"""Fewer days than any six months have, so that the search for the latest day begins here."""
_DAYS_BEYOND_A_YEAR: Final = 370
"""More days than any twelve months have, so that the search for the first day begins here."""


class EndingState(StrEnum):
    """Whether the resident was told in time that the term ends."""

    NONE_NEEDED = "none_needed"
    MISSING = "missing"
    EARLY = "early"
    IN_TIME = "in_time"
    LATE = "late"


class NoticeWay(StrEnum):
    """How the notice of an end reached the resident."""

    OPENED = "opened"
    HANDED = "handed"
    POSTED = "posted"
    OTHER = "other"


class TermAnswer(StrEnum):
    """What a resident wants when the term ends."""

    STAY = "stay"
    LEAVE = "leave"
    TALK = "talk"


@dataclass(frozen=True, slots=True)
class TermEnding:
    """How a fixed term ends: the days on which the notice may arrive, and what arrived.

    `window` is None where the law asks for no notice. `holds_on` is the last day that then holds
    against the resident, None while it holds against nobody.
    """

    last_on: date
    window: Days | None
    remind_on: date
    state: EndingState
    holds_on: date | None

    def is_late_on(self, day: date) -> bool:
        """Whether the last day for the notice has passed without one that counts."""
        is_open = self.state in (EndingState.MISSING, EndingState.EARLY)
        return is_open and self.window is not None and self.window.last_on < day


def needs_end_notice(first_on: date, last_on: date) -> bool:
    """Whether a fixed term is of one year or longer, so that its end has to be told."""
    return last_on >= period_end(first_on, _MONTHS_OF_A_YEAR)


def end_notice_window(last_on: date) -> Days:
    """The days on which the notice of an end has to reach the resident: a year to six months ahead.

    A period of months that begins on the day after it arrived decides, by the Civil Code's count.
    """
    first = last_on - timedelta(days=_DAYS_BEYOND_A_YEAR)
    while period_end(first + ONE_DAY, _MONTHS_OF_A_YEAR) < last_on:
        first += ONE_DAY
    latest = last_on - timedelta(days=_DAYS_OF_HALF_A_YEAR)
    while period_end(latest + ONE_DAY, _MONTHS_OF_NOTICE) > last_on:
        latest -= ONE_DAY
    return Days(first, latest)


def ending_without_notice(first_on: date, last_on: date, policy: Policy) -> TermEnding:
    """How a term ends of which the law asks no notice: one of less than a year, or an ordinary one."""
    is_long = needs_end_notice(first_on, last_on)
    days = policy.term_lead_days if is_long else policy.short_term_lead_days
    remind_on = last_on - timedelta(days=days)
    return TermEnding(last_on, None, remind_on, EndingState.NONE_NEEDED, last_on)


def ending_of(first_on: date, last_on: date, reached_on: date | None, policy: Policy) -> TermEnding:
    """How a fixed term ends when its notice reached the resident on a day, or on none.

    What arrives before the window does not count and is asked for again; what arrives after it
    moves the last day to six months later.
    """
    if not needs_end_notice(first_on, last_on):
        return ending_without_notice(first_on, last_on, policy)
    window = end_notice_window(last_on)
    state: EndingState = EndingState.IN_TIME
    holds_on: date | None = last_on
    if reached_on is None:
        state, holds_on = EndingState.MISSING, None
    elif reached_on < window.first_on:
        state, holds_on = EndingState.EARLY, None
    elif reached_on > window.last_on:
        state, holds_on = EndingState.LATE, period_end(reached_on + ONE_DAY, _MONTHS_OF_NOTICE)
    remind_on = last_on - timedelta(days=policy.term_lead_days)
    return TermEnding(last_on, window, remind_on, state, holds_on)


def counting_reach(last_on: date, reached: Iterable[date]) -> date | None:
    """The day that counts of those on which notices of an end arrived, None for none.

    The first one in the window or after it; of notices that all arrived too early, the latest.
    """
    days, window = sorted(reached), end_notice_window(last_on)
    counting = (day for day in days if day >= window.first_on)
    return next(counting, days[-1] if days else None)
