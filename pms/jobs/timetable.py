"""What the worker does by the clock, and whose turn it is when several workers run."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy.exc import DBAPIError

from pms.foundation.first_answers import forget_answers
from pms.foundation.heartbeat import beat, forget_slots, take_slot
from pms.foundation.readiness import WORKER
from pms.foundation.runs import forget_runs
from pms.foundation.sent_once import forget_sent
from pms.foundation.tenancy import WorkspaceSession
from pms.jobs.asked_runs import do_asked_runs
from pms.jobs.daily_jobs import DAILY_JOBS, do_what_is_due
from pms.jobs.make_provider_calls import make_provider_calls
from pms.jobs.read_calendars import read_calendars
from pms.jobs.record_key_calls import record_key_calls
from pms.jobs.record_key_use import record_key_use
from pms.jobs.release_posts import release_due_posts
from pms.jobs.send_codes import forget_old_doors, send_codes
from pms.jobs.send_outbox import send_outbox
from pms.jobs.take_inbound_events import take_inbound_events
from pms.jobs.tools import Tools

_log = structlog.get_logger("pms.jobs.timetable")


@dataclass(frozen=True)
class Entry:
    """One job of the timetable.

    `once`: of all workers only one runs it in each period; without it every worker does, which
    suits work that takes leases or may be repeated freely.
    """

    name: str
    every: timedelta
    work: Callable[[Tools], None]
    once: bool = False


def show_life(tools: Tools) -> None:
    """Record that a worker is alive; it passes through the queue, so a stuck queue shows too."""
    tools.database.write_across_workspaces(lambda session: beat(session, WORKER, tools.clock))


def forget_old_work(tools: Tools) -> None:
    """Delete slots, runs of daily jobs, keys of taps and first answers nobody asks about."""

    def forget(session: WorkspaceSession) -> None:
        forget_slots(session, tools.clock, KEPT)
        forget_runs(session, tools.clock, [job.name for job in DAILY_JOBS], KEPT)
        forget_sent(session, tools.clock, KEPT_OF_TAPS)
        forget_answers(session, tools.clock)

    tools.database.write_across_workspaces(forget)


def count_rows(tools: Tools) -> None:
    """Have SQLite count its rows, by which it chooses indexes; PostgreSQL does so by itself."""
    if tools.settings.is_sqlite:
        tools.database.refresh_statistics()


KEPT = timedelta(days=60)
KEPT_OF_TAPS = timedelta(days=30)  # a tap that waits longer on a phone was given up
TIMETABLE = (
    Entry("heartbeat", timedelta(seconds=15), show_life),
    Entry("send_outbox", timedelta(seconds=5), send_outbox),
    # Somebody sits before the page and waits for it.
    Entry("send_codes", timedelta(seconds=5), send_codes),
    # A guest who wrote, or a bill that was paid, is seen within seconds.
    Entry("inbound_events", timedelta(seconds=2), take_inbound_events),
    Entry("provider_calls", timedelta(seconds=5), make_provider_calls),
    Entry("asked_runs", timedelta(seconds=5), do_asked_runs),
    # A post comes out at its instant: whoever polls the website sees it within these seconds.
    Entry("release_posts", timedelta(seconds=10), release_due_posts),
    Entry("record_key_use", timedelta(minutes=1), record_key_use),
    Entry("record_key_calls", timedelta(minutes=1), record_key_calls),
    Entry("read_calendars", timedelta(minutes=1), read_calendars),
    # Asked often and done once a day: what failed or was cut short is tried again soon.
    Entry("daily_jobs", timedelta(minutes=10), do_what_is_due, once=True),
    Entry("count_rows", timedelta(hours=1), count_rows, once=True),
    Entry("forget_old_work", timedelta(hours=24), forget_old_work, once=True),
    Entry("forget_old_doors", timedelta(hours=24), forget_old_doors, once=True),
)


class Turn:
    """Tells the scheduler whether an entry is due in this worker."""

    def __init__(self, entry: Entry, tools: Tools) -> None:
        self._entry = entry
        self._tools = tools
        self._last = ""

    def __call__(self, _: datetime) -> bool:
        slot = period(self._tools.clock.now(), self._entry.every)
        if slot == self._last:
            return False
        try:
            mine = not self._entry.once or self._take(slot)
        except DBAPIError as error:  # tried again at the next tick, the slot being still free
            _log.warning("no turn taken", job=self._entry.name, failure=str(error.orig))
            return False
        self._last = slot
        return mine

    def _take(self, slot: str) -> bool:
        return take_slot(self._tools.database, self._entry.name, slot, self._tools.clock)


def period(moment: datetime, every: timedelta) -> str:
    """Name the period a moment lies in by the instant it began, the same in every worker."""
    seconds = int(moment.timestamp())
    began = seconds - seconds % int(every.total_seconds())
    return datetime.fromtimestamp(began, moment.tzinfo).isoformat()
