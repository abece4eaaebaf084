"""Runs the queue's consumer with the timetable, until it is told to end."""

from collections.abc import Callable, Sequence

import structlog
from huey import Huey
from huey.consumer import Consumer, Scheduler

from pms import tables
from pms.foundation import logs
from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.jobs.postbox import choose_postbox
from pms.jobs.queue import open_queue
from pms.jobs.timetable import TIMETABLE, Entry, Turn
from pms.jobs.tools import Tools

TICK_SECONDS = 2
GRACE_SECONDS = 20
LONG_JOBS = 7
"""Daily work, runs that were asked for, provider calls, calendars, events, mail and urgent mail:
each may take minutes, and each process does one of a kind at a time."""
THREADS = LONG_JOBS + 2
"""Signs of life and all short work wait for none of them."""
_log = structlog.get_logger("pms.jobs.worker")
TABLES = tables.metadata
"""Every room's tables are loaded: a job may write a row whose keys point into any of them."""


class TickingScheduler(Scheduler):
    """Looks at the timetable every other second, so that a sign-in code leaves at once."""

    periodic_task_seconds = TICK_SECONDS


class Worker(Consumer):
    """The consumer with that scheduler."""

    scheduler_class = TickingScheduler


def run_worker(settings: Settings) -> None:
    """Work until SIGTERM or SIGINT; what is under way is finished first."""
    logs.configure(settings)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    queue = open_queue(settings)
    tools = Tools(settings, Database(settings), SystemClock(), choose_postbox(settings))
    enter(queue, tools)
    _log.info("worker started", queue=type(queue).__name__, jobs=[job.name for job in TIMETABLE])
    Worker(
        queue,
        workers=THREADS,
        max_delay=1.0,
        shutdown_timeout=GRACE_SECONDS,
        graceful_signal="TERM",
    ).run()
    tools.database.dispose()


def enter(queue: Huey, tools: Tools, timetable: Sequence[Entry] = TIMETABLE) -> None:
    """Enter the timetable into the queue."""
    for entry in timetable:
        queue.periodic_task(Turn(entry, tools), name=entry.name)(_bound(entry, tools))


def _bound(entry: Entry, tools: Tools) -> Callable[[], None]:
    def work() -> None:
        entry.work(tools)

    work.__name__ = entry.name
    return work
