"""Going live with a large takeover as a run: one transaction, with its progress."""

from typing import Final

from sqlalchemy.orm import Session

from pms.arrivals.takeover.going_live import go_live
from pms.arrivals.takeover.guides import stored_guide
from pms.arrivals.takeover.running import Progress
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Problem
from pms.foundation.files import Files
from pms.foundation.runs import Run, finish, heed_stop, hold_run, step
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.enumerations import RunKind, TakeoverState

TAKEOVER: Final = RunKind.TAKEOVER.value


def takeover_run(database: Database, clock: Clock, run: Run) -> None:
    """Go live with the run's takeover guide, or write into the run why not.

    If it is killed before the end, nothing was written; started again after the end, nothing is
    written twice.
    """

    def act(session: WorkspaceSession) -> None:
        if stored_guide(session, run.subject).state is not TakeoverState.LIVE:
            go_live(
                Work(session, clock, run.started_by),
                Files(database.settings),
                run.subject,
                leaves_waiting=bool(run.asked.get("leaves_waiting")),
                progress=_progress(database, clock, run),
            )
        held = hold_run(session, run.id)
        held.done = held.total
        finish(held, clock)

    try:
        if not database.write(run.workspace_id, lambda session: _is_stopped(session, clock, run)):
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


def _progress(database: Database, clock: Clock, run: Run) -> Progress | None:
    """Return what writes the progress in other transactions; None on SQLite (one writer)."""
    if database.settings.is_sqlite:
        return None

    def tell(done: int, of: int) -> None:
        def count(session: WorkspaceSession) -> None:
            held = hold_run(session, run.id)
            held.done, held.total, held.moved_at = done, of, clock.now()

        database.write(run.workspace_id, count)

    return tell
