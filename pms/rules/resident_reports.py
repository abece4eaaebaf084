"""Who may report a problem with their unit, and the words that identify similar reports."""

import re
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
