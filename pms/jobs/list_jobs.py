"""Lists the timetable for a person: what is done, and when."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from pms.jobs.daily_jobs import DAILY_JOBS
from pms.jobs.timetable import TIMETABLE


class ListedJob(NamedTuple):
    """One job; those of every day can be run by hand."""

    name: str
    when: str
    by_hand: bool
    about: str


def list_jobs() -> Sequence[ListedJob]:
    """Return the jobs of every day in the order of their hours, then what runs all the time."""
    daily = [
        ListedJob(job.name, f"daily from {job.from_hour:02}:00 in Japan", True, job.about)
        for job in DAILY_JOBS
    ]
    steady = [
        ListedJob(entry.name.replace("_", "-"), f"every {_spoken(entry.every)}", False, about)
        for entry in TIMETABLE
        for about in [(entry.work.__doc__ or "").split("\n")[0]]
    ]
    return [*daily, *steady]


def _spoken(every: timedelta) -> str:
    seconds = int(every.total_seconds())
    if seconds < 60:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 3_600 else f"{seconds // 3_600} h"
