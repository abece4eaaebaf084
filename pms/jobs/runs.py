"""Runs that people request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

import structlog

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.runs import AskedRun, Run, fail, hold_run, take_run, waiting_runs
from pms.foundation.settings import Settings
from pms.foundation.tenancy import WorkspaceSession
from pms.jobs.bank_runs import (
    PLACING,
    STATEMENT,
    UNDOING,
    placing_run,
    statement_run,
    undoing_run,
)
from pms.jobs.billing_run import BILLING, billing_run
from pms.jobs.bulk_runs import (
    CHARGING,
    IMPORT,
    PUBLISHING,
    charging_run,
    import_run,
    publishing_run,
)
from pms.jobs.mail_delivery import MailLane, Postbox
from pms.jobs.takeover_run import TAKEOVER, takeover_run
from pms.jobs.workspace_export import EXPORT, export_run
from pms.rules.days import strict_day


@dataclass(frozen=True)
class Tools:
    """The worker's tools; tests replace the clock and the postbox."""

    settings: Settings
    database: Database
    clock: Clock
    postbox: Postbox
    mail: MailLane = field(init=False, default_factory=MailLane)
    urgent_mail: MailLane = field(init=False, default_factory=MailLane)


def bill(database: Database, clock: Clock, run: Run) -> None:
    """Bill through the month of the run."""
    through_on = strict_day(f"{run.subject}-01")
    billing_run(database, clock, run.started_by, run.workspace_id, through_on=through_on)


def publish(database: Database, clock: Clock, run: Run) -> None:
    """Publish the owner statements of the run's month."""
    month_on = strict_day(f"{run.subject}-01") or clock.today()
    publishing_run(database, clock, run.started_by, run.workspace_id, month_on=month_on)


def charge(database: Database, clock: Clock, run: Run) -> None:
    """Post the charge of the run."""
    charging_run(database, clock, run.workspace_id, run_id=run.id)


def take_in(database: Database, clock: Clock, run: Run) -> None:
    """Import the sheet of the run."""
    import_run(database, clock, run.started_by, run.workspace_id, run_id=run.id)


def place(database: Database, clock: Clock, run: Run) -> None:
    """Record the bank's certain transfers."""
    placing_run(database, clock, run.workspace_id, run_id=run.id)


def import_statement(database: Database, clock: Clock, run: Run) -> None:
    """Import a long bank file."""
    statement_run(database, clock, run.workspace_id, run_id=run.id)


def undo_statement(database: Database, clock: Clock, run: Run) -> None:
    """Undo all of an imported bank file."""
    undoing_run(database, clock, run.workspace_id, run_id=run.id)


def export(database: Database, clock: Clock, run: Run) -> None:
    """Make the files of an export of the workspace."""
    export_run(database, clock, run.workspace_id, run_id=run.id)


ASKED_WORK: Final[Mapping[str, Callable[[Database, Clock, Run], None]]] = {
    BILLING: bill,
    PUBLISHING: publish,
    CHARGING: charge,
    PLACING: place,
    STATEMENT: import_statement,
    UNDOING: undo_statement,
    IMPORT: take_in,
    EXPORT: export,
    TAKEOVER: takeover_run,
}


AskedWork = Callable[[Database, Clock, Run], None]
_log = structlog.get_logger("pms.jobs.runs")
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


def _try(asked: AskedRun, tools: Tools, works: Mapping[str, AskedWork]) -> None:
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
