"""Runs that people request, among them going live with a large takeover."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

import structlog
from sqlalchemy.orm import Session

from pms.arrivals.takeover.going_live import go_live
from pms.arrivals.takeover.guides import read_guide
from pms.arrivals.takeover.running import Progress
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Problem
from pms.foundation.files import Files
from pms.foundation.runs import (
    AskedRun,
    Run,
    fail,
    finish,
    heed_stop,
    hold_run,
    step,
    take_run,
    waiting_runs,
)
from pms.foundation.settings import Settings
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
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
from pms.jobs.workspace_export import EXPORT, export_run
from pms.notices.notices import NoticeEvent, notify_staff
from pms.rules.days import strict_day
from pms.rules.enumerations import RunKind, TakeoverState
from pms.rules.notices_to_people import NoticeKind

TAKEOVER: Final = RunKind.TAKEOVER.value


def takeover_run(database: Database, clock: Clock, run: Run) -> None:
    """Go live with the run's takeover guide, or write into the run why not.

    If it is killed before the end, nothing was written; started again after the end, nothing is
    written twice.
    """

    def act(session: WorkspaceSession) -> None:
        if guide.row.state is not TakeoverState.LIVE:
            go_live(
                Work(session, clock, run.started_by),
                guide,
                leaves_waiting=bool(run.asked.get("leaves_waiting")),
                progress=_make_progress_writer(database, clock, run),
            )
        held = hold_run(session, run.id)
        held.done = held.total
        finish(held, clock)

    try:
        if not database.write(run.workspace_id, lambda session: _is_stopped(session, clock, run)):
            with database.reading(run.workspace_id) as reading:
                guide = read_guide(reading, clock, Files(database.settings), run.subject)
            database.write(run.workspace_id, act)
            database.refresh_statistics()
    except Problem as refusal:
        refused = [{"row": "", "message": refusal.message}]

        def refuse(session: WorkspaceSession) -> None:
            held = hold_run(session, run.id)
            step(held, clock, done=0, problems=1, refused=refused)
            finish(held, clock)

        database.write(run.workspace_id, refuse)


def _is_stopped(session: Session, clock: Clock, run: Run) -> bool:
    return heed_stop(hold_run(session, run.id), clock)


def _make_progress_writer(database: Database, clock: Clock, run: Run) -> Progress | None:
    """Return what writes the progress in other transactions; None on SQLite (one writer)."""
    if database.settings.is_sqlite:
        return None

    def tell(done: int, of: int) -> None:
        def count(session: WorkspaceSession) -> None:
            held = hold_run(session, run.id)
            held.done, held.total, held.moved_at = done, of, clock.now()

        database.write(run.workspace_id, count)

    return tell


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
    """Run work that people have started, such as imports, exports and billing.

    The call returns at once while this process is still running some.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        with tools.database.across_workspaces_reading() as session:
            waiting = waiting_runs(session, tools.clock, list(ASKED_WORK))
        for asked in waiting:
            _try_run(asked, tools, ASKED_WORK)
    finally:
        _at_work.release()


def _try_run(asked: AskedRun, tools: Tools, works: Mapping[str, AskedWork]) -> None:
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
    tools.database.write_as(
        asked.workspace_id, tools.clock, "worker", lambda work: _tell_starter(work, asked.id)
    )


def _tell_starter(work: Work, run_id: str) -> None:
    """Tell the person who started a run that it has ended, or why it stopped."""
    run = hold_run(work.session, run_id)
    if run.finished_at is None and run.failure in (None, "stopped"):
        return
    kind = NoticeKind.RUN_FAILED if run.finished_at is None else NoticeKind.RUN_FINISHED
    person_id = run.started_by.removeprefix("person/")
    facts = {"run_kind": run.kind, "subject": run.subject}
    event = NoticeEvent(
        run.id, f"/runs/{run.id}", facts, (person_id,), occasion=run.moved_at.isoformat()
    )
    notify_staff(work, kind, event)
