"""The worker and its timetable."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

import structlog
from huey import Huey, PostgresHuey, RedisHuey, SqliteHuey
from huey.consumer import Consumer, Scheduler
from sqlalchemy.exc import DBAPIError

from pms import tables
from pms.access import key_calls, key_lookup, keys
from pms.bank.statement_previews import forget_previewed_files
from pms.catalogue.photos import files_of_removed_photos
from pms.channels.received_mails import forget_originals
from pms.foundation import logs
from pms.foundation.budget import last_requests, open_storage, past_requests
from pms.foundation.budget.rolling_window import BudgetUnavailable, RollingWindowStorage
from pms.foundation.clock import Clock, SystemClock
from pms.foundation.database import Database
from pms.foundation.files import KEPT_UNNAMED, Files, named_files
from pms.foundation.idempotency import forget_answers, forget_sent
from pms.foundation.kept_figures import forget_figures
from pms.foundation.last_calls import LastCalls
from pms.foundation.readiness import SWEEP, WORKER, beat, forget_slots, note_done, take_slot
from pms.foundation.runs import forget_runs
from pms.foundation.settings import Settings
from pms.foundation.tenancy import WorkspaceSession
from pms.jobs.bank_verdicts import renew_bank_verdicts
from pms.jobs.daily_jobs import DAILY_JOBS, daily_job, do_daily, run_due_jobs
from pms.jobs.kept_figures import renew_kept_figures
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.mailboxes import read_mailboxes
from pms.jobs.notice_mails import send_notices
from pms.jobs.outbox import forget_old_sign_ins, send_codes, send_outbox
from pms.jobs.provider_calls import make_provider_calls
from pms.jobs.readings import read_calendars, release_due_posts, take_inbound_events
from pms.jobs.runs import Tools, do_asked_runs
from pms.jobs.workspace_export import forget_exports
from pms.notices.notices import forget_notices

NAME = "pms"


def open_queue(settings: Settings) -> Huey:
    """Return the queue for the settings; what must not be lost is a row, never a queued task."""
    if settings.redis_url:
        return RedisHuey(NAME, results=False, url=settings.redis_url)
    if settings.is_sqlite:
        return SqliteHuey(NAME, results=False, filename=str(settings.jobs_path))
    # A migration created its tables, which hold no workspace's rows.
    plain = settings.database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    return PostgresHuey(NAME, results=False, dsn=plain, create_tables=False)


def record_key_calls(tools: Tools) -> None:
    """Record the newest calls of each API key; delete the file of a removed key."""
    files = LastCalls(tools.settings, tools.clock)
    calls = {key_id: files.newest(key_id) for key_id in files.noted_keys()}
    newest = {key_id: made[-1].id for key_id, made in calls.items() if made}
    with tools.database.across_workspaces_reading() as session:
        known = keys.workspaces_of_keys(session, list(calls))
        noted = key_calls.noted_calls(session, list(newest.values()))
    for key_id, made in calls.items():
        workspace_id = known.get(key_id)
        if workspace_id is None:
            files.forget(key_id)
        elif made and newest[key_id] not in noted:
            tools.database.write(
                workspace_id, partial(key_calls.note_key_calls, key_id=key_id, calls=made)
            )


_log = structlog.get_logger("pms.jobs.worker")


class _Use(NamedTuple):
    """When a key was last used, and its requests that the budget still remembers."""

    last_at: datetime
    instants: Sequence[datetime]


def record_key_use(tools: Tools) -> None:
    """Record when each API key was last used, and its requests."""
    with tools.database.across_workspaces_reading() as session:
        noted = {key.id: key.last_used_at for key in keys.keys_of_workspaces(session)}
    storage = open_storage(tools.settings)
    try:
        newer = _find_newer_uses(storage, noted)
    except BudgetUnavailable as failure:
        _log.warning("key use not recorded", failure=str(failure.__cause__))
        return
    finally:
        storage.close()
    for key_id, use in newer.items():
        _note_key_use(tools, key_id, use)


def _find_newer_uses(
    storage: RollingWindowStorage, noted: Mapping[str, datetime | None]
) -> Mapping[str, _Use]:
    uses = {
        key_id: used_at.replace(microsecond=0)
        for key_id, used_at in last_requests(storage, noted).items()
    }
    return {
        key_id: _Use(used_at, list(past_requests(storage, key_id)))
        for key_id, used_at in uses.items()
        if _is_newer(used_at, noted[key_id])
    }


def _note_key_use(tools: Tools, key_id: str, use: _Use) -> None:
    def note_last(session: WorkspaceSession) -> str:
        key_lookup.note_key_use(session, key_id, use.last_at)
        return keys.workspace_id_of_key(session, key_id)

    workspace_id = tools.database.write_across_workspaces(note_last)
    tools.database.write(
        workspace_id, lambda session: key_calls.note_key_hours(session, key_id, use.instants)
    )


def _is_newer(used_at: datetime, noted: datetime | None) -> bool:
    return noted is None or used_at > noted


@dataclass(frozen=True)
class TimetableJob:
    """A job of the timetable.

    With `once`, only one of all workers runs it in each period; without it every worker does, which
    suits work that takes leases or may be repeated. Work that returns how much it did has it noted.
    """

    name: str
    every: timedelta
    work: Callable[[Tools], int | None]
    once: bool = False


def show_life(tools: Tools) -> None:
    """Record that the worker is running.

    It passes through the queue, so a stuck queue shows too.
    """
    tools.database.write_across_workspaces(lambda session: beat(session, WORKER, tools.clock))


def forget_old_work(tools: Tools) -> None:
    """Delete old records of daily jobs, sent taps, repeated requests and figures, and old files.

    The files are exports, originals of old mails, and bank statements that were previewed and never
    imported.
    """

    def forget(session: WorkspaceSession) -> None:
        forget_slots(session, tools.clock, KEPT)
        forget_runs(session, tools.clock, [job.name for job in DAILY_JOBS], KEPT)
        forget_sent(session, tools.clock, KEPT_OF_TAPS)
        forget_answers(session, tools.clock)
        forget_figures(session, tools.clock.today())
        forget_notices(session, tools.clock)

    tools.database.write_across_workspaces(forget)
    forget_exports(tools.database, tools.clock)
    originals = tools.database.write_across_workspaces(
        lambda session: forget_originals(session, tools.clock.now())
    )
    for key in originals:
        Files(tools.settings).delete(key)
    with tools.database.across_workspaces_reading() as session:
        forget_previewed_files(session, tools.clock, Files(tools.settings))


def sweep_files(tools: Tools) -> int:
    """Delete stored files that no record has named for a week, such as photos of a form not sent."""
    with tools.database.across_workspaces_reading() as session:
        named = named_files(session) | files_of_removed_photos(session)
    return Files(tools.settings).delete_old(tools.clock.now() - KEPT_UNNAMED, named)


def count_rows(tools: Tools) -> None:
    """Update the row counts by which SQLite chooses its indexes.

    PostgreSQL updates its own.
    """
    if tools.settings.is_sqlite:
        tools.database.refresh_statistics()


KEPT = timedelta(days=60)
KEPT_OF_TAPS = timedelta(days=30)  # a phone gives up sending a tap before that
TIMETABLE = (
    TimetableJob("heartbeat", timedelta(seconds=15), show_life),
    TimetableJob("send_outbox", timedelta(seconds=5), send_outbox),
    TimetableJob("send_notices", timedelta(seconds=5), send_notices),
    # A person waits for it at the screen.
    TimetableJob("send_codes", timedelta(seconds=5), send_codes),
    # A guest's message or a paid bill is shown within seconds.
    TimetableJob("inbound_events", timedelta(seconds=2), take_inbound_events),
    TimetableJob("read_mailboxes", timedelta(seconds=15), read_mailboxes),
    TimetableJob("provider_calls", timedelta(seconds=5), make_provider_calls),
    TimetableJob("asked_runs", timedelta(seconds=5), do_asked_runs),
    # A long list of transfers is shown as being matched until then.
    TimetableJob("bank_verdicts", timedelta(seconds=2), renew_bank_verdicts),
    # In a large workspace they take seconds, so that it rests in between.
    TimetableJob("kept_figures", timedelta(minutes=1), renew_kept_figures),
    # A post is published at its instant: clients that poll see it within these seconds.
    TimetableJob("release_posts", timedelta(seconds=10), release_due_posts),
    TimetableJob("record_key_use", timedelta(minutes=1), record_key_use),
    TimetableJob("record_key_calls", timedelta(minutes=1), record_key_calls),
    TimetableJob("read_calendars", timedelta(minutes=1), read_calendars),
    # Called often and done once a day: what failed or was cut short is soon tried again.
    TimetableJob("daily_jobs", timedelta(minutes=10), run_due_jobs, once=True),
    TimetableJob("count_rows", timedelta(hours=1), count_rows, once=True),
    TimetableJob("forget_old_work", timedelta(hours=24), forget_old_work, once=True),
    TimetableJob(SWEEP, timedelta(hours=24), sweep_files, once=True),
    TimetableJob("forget_old_sign_ins", timedelta(hours=24), forget_old_sign_ins, once=True),
)


class Turn:
    """Decides whether an entry is due in this worker."""

    def __init__(self, entry: TimetableJob, tools: Tools) -> None:
        self._entry = entry
        self._tools = tools
        self._last = ""

    def __call__(self, _: datetime) -> bool:
        slot = period(self._tools.clock.now(), self._entry.every)
        if slot == self._last:
            return False
        try:
            mine = not self._entry.once or self._take_slot(slot)
        except DBAPIError as error:  # tried again at the next tick, as the slot is still free
            _log.warning("no turn taken", job=self._entry.name, failure=str(error.orig))
            return False
        self._last = slot
        return mine

    def _take_slot(self, slot: str) -> bool:
        return take_slot(self._tools.database, self._entry.name, slot, self._tools.clock)


def period(moment: datetime, every: timedelta) -> str:
    """Return the start of a moment's period as its name, the same in every worker."""
    seconds = int(moment.timestamp())
    began = seconds - seconds % int(every.total_seconds())
    return datetime.fromtimestamp(began, moment.tzinfo).isoformat()


PATIENCE_SECONDS = 60.0
"""Seconds a job waits for other writers on SQLite, as long as PostgreSQL's lock timeout."""
TICK_SECONDS = 2
GRACE_SECONDS = 20
LONG_JOBS = 10
"""Daily work, requested runs, bank verdicts, figures, provider calls, calendars, events, three of mail.

Each may take minutes, and each process does one of a kind at a time.
"""
THREADS = LONG_JOBS + 2
"""Two threads more than the long jobs, so that short work does not wait for them."""
TABLES = tables.metadata
"""Imported so that all tables are loaded: a job may write rows with keys to any of them."""


class TickingScheduler(Scheduler):
    """Checks the timetable every other second, so that a sign-in code is sent at once."""

    periodic_task_seconds = TICK_SECONDS


class Worker(Consumer):
    """The consumer that uses this scheduler."""

    scheduler_class = TickingScheduler


def run_worker(settings: Settings) -> None:
    """Work until SIGTERM or SIGINT; what is running is finished first."""
    logs.configure(settings)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    queue = open_queue(settings)
    database = Database(settings, PATIENCE_SECONDS)
    tools = Tools(settings, database, SystemClock(), choose_postbox(settings))
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


def enter(queue: Huey, tools: Tools, timetable: Sequence[TimetableJob] = TIMETABLE) -> None:
    """Register the timetable with the queue."""
    for entry in timetable:
        queue.periodic_task(Turn(entry, tools), name=entry.name)(_bind_tools(entry, tools))


def _bind_tools(entry: TimetableJob, tools: Tools) -> Callable[[], None]:
    def work() -> None:
        done = entry.work(tools)
        if done is not None:
            tools.database.write_across_workspaces(
                lambda session: note_done(session, entry.name, done)
            )

    work.__name__ = entry.name
    return work


class ListedJob(NamedTuple):
    """A job in a list; daily ones can be run by hand."""

    name: str
    when: str
    by_hand: bool
    about: str


def list_jobs() -> Sequence[ListedJob]:
    """Return the daily jobs by their hours, then the jobs that run all the time."""
    daily = [
        ListedJob(job.name, f"daily from {job.from_hour:02}:00 in Japan", True, job.about)
        for job in DAILY_JOBS
    ]
    steady = [
        ListedJob(
            entry.name.replace("_", "-"), f"every {_interval_text(entry.every)}", False, about
        )
        for entry in TIMETABLE
        for about in [(entry.work.__doc__ or "").split("\n")[0]]
    ]
    return [*daily, *steady]


def _interval_text(every: timedelta) -> str:
    seconds = int(every.total_seconds())
    if seconds < 60:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 3_600 else f"{seconds // 3_600} h"


class JobDone(NamedTuple):
    """The result of a job in one workspace; `was_done` if it was done for the day before."""

    workspace_id: str
    was_done: bool
    done: int = 0
    problems: int = 0


def run_job(
    database: Database,
    clock: Clock,
    actor: str,
    name: str,
    workspace_ids: list[str],
    *,
    again: bool = False,
) -> Iterator[JobDone]:
    """Run the job for today in each workspace, and yield the results."""
    job = daily_job(name)
    for workspace_id in workspace_ids:
        run = do_daily(job, database, clock, workspace_id, actor=actor, again=again)
        if run is None:
            yield JobDone(workspace_id, was_done=True)
        else:
            yield JobDone(workspace_id, False, run.done, run.problems)
