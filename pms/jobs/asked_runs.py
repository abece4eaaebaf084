"""Does the long work that people ask for on a screen, one run after another."""

from collections.abc import Callable, Mapping
from threading import Lock

import structlog

from pms.foundation.asked_runs import AskedRun, take_run, waiting_runs
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.runs import Run, fail, hold_run
from pms.foundation.tenancy import WorkspaceSession
from pms.jobs.asked_work import ASKED_WORK
from pms.jobs.tools import Tools

Work = Callable[[Database, Clock, Run], None]
_log = structlog.get_logger("pms.jobs.asked_runs")
_at_work = Lock()


def do_asked_runs(tools: Tools) -> None:
    """Do what was asked for; while this process is still at it, the next turn is let go by."""
    if not _at_work.acquire(blocking=False):
        return
    try:
        with tools.database.across_workspaces_reading() as session:
            waiting = waiting_runs(session, tools.clock, list(ASKED_WORK))
        for asked in waiting:
            _try(asked, tools, ASKED_WORK)
    finally:
        _at_work.release()


def _try(asked: AskedRun, tools: Tools, works: Mapping[str, Work]) -> None:
    def take(session: WorkspaceSession) -> Run | None:
        run = take_run(session, tools.clock, asked.id)
        if run is not None:
            session.flush()
            session.expunge(run)
        return run

    run = tools.database.write(asked.workspace_id, take)
    if run is None:
        return
    try:
        works[asked.kind](tools.database, tools.clock, run)
    except Exception as failure:
        _log.exception("asked run failed", run=asked.id, kind=asked.kind)
        name = type(failure).__name__
        tools.database.write(
            asked.workspace_id,
            lambda session: fail(hold_run(session, asked.id), tools.clock, name),
        )
