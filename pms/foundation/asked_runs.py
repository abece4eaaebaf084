"""Long work that a person asks for on a screen: a row now, a worker within seconds, a way to stop.

The row says what is wanted; whichever worker takes it first does it. One that is killed leaves a
row that nobody has moved for a while, and the next worker goes on from there.
"""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.runs import Run, fail, hold_run, start_run
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent

LEFT_ALONE_AFTER = timedelta(minutes=2)
"""A run that did not move for so long has lost its worker."""


class AskedRun(NamedTuple):
    """A run that waits for a worker."""

    workspace_id: str
    id: str
    kind: str


def ask_run(work: Work, *, kind: str, subject: str, **asked: Any) -> Run:
    """Return the run that a worker will do: the unfinished one of the subject, or a new one."""
    run = start_run(work, kind=kind, subject=subject)
    if run.finished_at is None:
        work.session.flush()
        run.asked, run.failure, run.stop_asked_at = asked or {"by": work.actor}, None, None
        note_audit_event(work, AuditEvent.RUN_ASKED, ("run", run.id), after=_about(run))
    work.session.flush()
    return run


def ask_to_stop(work: Work, run_id: str) -> Run:
    """Have a run end after the part it is at; what is done stays, started again it goes on."""
    run = hold_run(work.session, run_id)
    if run.finished_at is not None:
        raise Refused("run: this activity has already ended.")
    run.stop_asked_at, run.stop_asked_by = work.clock.now(), work.actor
    note_audit_event(work, AuditEvent.RUN_STOPPED, ("run", run.id), after=_about(run))
    return run


def heed_stop(run: Run, clock: Clock) -> bool:
    """Whether somebody asked this held run to stop; it then says so and waits."""
    if run.stop_asked_at is None:
        return False
    fail(run, clock, "stopped")
    return True


def waiting_runs(session: Session, clock: Clock, kinds: Collection[str]) -> Sequence[AskedRun]:
    """Return the asked runs that no worker is at; the session reads across workspaces."""
    rows = session.execute(
        select(Run.workspace_id, Run.id, Run.kind)
        .where(Run.kind.in_(kinds), Run.finished_at.is_(None), _is_free(clock))
        .order_by(Run.started_at, Run.id)
    )
    # A run that only a command started was not asked for: whoever started it is at it.
    return [AskedRun(*row) for row in rows]


def take_run(session: Session, clock: Clock, run_id: str) -> Run | None:
    """Return the run for this worker, or nothing when another one was quicker."""
    run = hold_run(session, run_id)
    lost_before = clock.now() - LEFT_ALONE_AFTER
    is_free = run.taken_at is None or run.moved_at < lost_before
    if run.finished_at or run.failure or run.stop_asked_at or not run.asked or not is_free:
        return None
    run.taken_at = run.moved_at = clock.now()
    return run


def _about(run: Run) -> dict[str, Any]:
    return {"kind": run.kind, "subject": run.subject}


def _is_free(clock: Clock) -> Any:
    return (
        Run.failure.is_(None)
        & Run.stop_asked_at.is_(None)
        & or_(Run.taken_at.is_(None), Run.moved_at < clock.now() - LEFT_ALONE_AFTER)
    )
