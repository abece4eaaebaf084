"""Does the long work that people ask for on a screen, one run after another."""

from collections.abc import Callable, Mapping
from threading import Lock

import structlog

from pms.foundation.asked_runs import AskedRun, take_run, waiting_runs
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.runs import Run, fail, hold_run
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
    with tools.database.writing(asked.workspace_id) as session:
        run = take_run(session, tools.clock, asked.id)
        if run is None:
            return
        session.flush()
        session.expunge(run)
    try:
        works[asked.kind](tools.database, tools.clock, run)
    except Exception as failure:
        _log.exception("asked run failed", run=asked.id, kind=asked.kind)
        with tools.database.writing(asked.workspace_id) as session:
            fail(hold_run(session, asked.id), tools.clock, type(failure).__name__)
