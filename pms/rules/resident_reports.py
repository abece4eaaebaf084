"""When a resident may report a problem or the condition of their unit, and which reports are alike."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from pms.rules.enumerations import Lifecycle

REPORT_DAYS_BEFORE: Final = 7
_HERE: Final = (Lifecycle.LIVING, Lifecycle.NOTICE_FILED)
_COMING: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)
_MOST_WORDS: Final = 6
# Latin words of four letters or more, and runs of kanji or katakana: hiragana is grammar.
_LATIN: Final = re.compile(r"[a-z]{4,}", re.IGNORECASE)
_JAPANESE: Final = re.compile(r"[\u30a0-\u30ff]{2,}|[\u4e00-\u9fff々]{2,}")


class NoReporting(StrEnum):
    """Why a resident cannot report a problem."""

    NOT_YET = "not_yet"
    ENDED = "ended"


def no_reporting(lifecycle: Lifecycle, start_on: date | None, today: date) -> NoReporting | None:
    """Return why a problem cannot be reported, or None (Resource overview, Maintenance request).

    A resident may report while living there, also after a notice, and from 7 days before the
    effective start, when rooms are shown and keys given; never after the tenancy ended.
    """
    if lifecycle in _HERE:
        return None
    if lifecycle not in _COMING:
        return NoReporting.ENDED
    is_near = start_on is not None and today >= start_on - timedelta(days=REPORT_DAYS_BEFORE)
    return None if is_near else NoReporting.NOT_YET


def telling_words(text: str) -> tuple[str, ...]:
    """Return the few words by which another report of the same problem is found.

    Japanese has no blanks between words: its words are the runs of kanji and of katakana.
    """
    found = [*_LATIN.findall(text), *_JAPANESE.findall(text)]
    return tuple(dict.fromkeys(word.lower() for word in found))[:_MOST_WORDS]


OPENS_DAYS_BEFORE: Final = 1
SECOND_MAIL_DAYS_AFTER: Final = 3
REPORT_DAYS: Final = 7


@dataclass(frozen=True, slots=True)
class ConditionWindow:
    """The days on which the report is open, both inside, around the day of arrival."""

    arrival_on: date

    @property
    def opens_on(self) -> date:
        """The first day: who receives the key the day before may begin then."""
        return self.arrival_on - timedelta(days=OPENS_DAYS_BEFORE)

    @property
    def closes_on(self) -> date:
        """The last day, which the mails state."""
        return self.arrival_on + timedelta(days=REPORT_DAYS)

    def is_open(self, today: date) -> bool:
        """Tell whether a report may be written and sent on a day."""
        return self.opens_on <= today <= self.closes_on


def condition_window(arrival_on: date | None, start_on: date | None) -> ConditionWindow | None:
    """Return the window of a tenancy (specification, Contract dates, Arrival date).

    It follows the arrival date where one is agreed, else the effective start, and never changes
    billing. Without either there is no window. It stays open 7 days after the arrival.
    """
    on = arrival_on or start_on
    return ConditionWindow(on) if on else None


def due_reminder(arrival_on: date, today: date) -> int | None:
    """Return which of the two reminder mails may be sent on a day (Contract dates, Arrival date).

    The first from the day the window opens until the third day after the arrival, the second from
    then until the window closes.
    """
    days_after = (today - arrival_on).days
    if -OPENS_DAYS_BEFORE <= days_after < SECOND_MAIL_DAYS_AFTER:
        return 1
    return 2 if SECOND_MAIL_DAYS_AFTER <= days_after <= REPORT_DAYS else None
