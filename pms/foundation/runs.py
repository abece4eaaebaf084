"""Long work as rows: progress, requesting and stopping it, and lists of it.

A row says what is wanted; whichever worker takes it first does it. A killed worker leaves a row
that has not moved for a while, and another worker continues from there.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, NamedTuple

from sqlalchemy import Index, Select, Text, UniqueConstraint, delete, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.audit import note_audit_event
from pms.foundation.building_paths import shared
from pms.foundation.clock import Clock
from pms.foundation.db import Base, Instant, Json
from pms.foundation.errors import Refused, no_such
from pms.foundation.files import HAS_FILES
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.tenancy import OfWorkspace
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import RunState


class Run(OfWorkspace, Base):
    """One piece of long work: `subject` is what it is about, `number` counts its tries.

    Restarted after it was killed, it continues where its own idempotent steps ended.
    """

    __tablename__ = "run"
    building_path = shared("found from what it is about; pages of runs are of the whole office")
    noun = "run"
    __table_args__ = (
        UniqueConstraint("workspace_id", "kind", "subject", "number"),
        Index("ix_run_started_at", "workspace_id", "started_at"),
    )

    kind: Mapped[str]
    subject: Mapped[str]
    number: Mapped[int] = mapped_column(default=1)
    total: Mapped[int] = mapped_column(default=0)
    done: Mapped[int] = mapped_column(default=0)
    problems: Mapped[int] = mapped_column(default=0)
    result: Mapped[dict[str, Any]] = mapped_column(Json, default=dict, info=HAS_FILES)
    started_by: Mapped[str]
    started_at: Mapped[datetime] = mapped_column(Instant)
    moved_at: Mapped[datetime] = mapped_column(Instant)
    finished_at: Mapped[datetime | None] = mapped_column(Instant)
    failure: Mapped[str | None] = mapped_column(Text)
    asked: Mapped[dict[str, Any]] = mapped_column(Json, default=dict, info=HAS_FILES)
    taken_at: Mapped[datetime | None] = mapped_column(Instant)
    stop_asked_at: Mapped[datetime | None] = mapped_column(Instant)
    stop_asked_by: Mapped[str | None]

    @property
    def state(self) -> RunState:
        """The state of the work."""
        if self.finished_at is not None:
            return RunState.FINISHED_WITH_PROBLEMS if self.problems else RunState.FINISHED
        return RunState.STOPPED if self.failure else RunState.RUNNING


def start_run(work: Work, *, kind: str, subject: str, total: int = 0) -> Run:
    """Return the unfinished run of the subject, to be continued, or a new one.

    Two concurrent starts get the same run: the second waits for the commit of the first.
    """
    latest = newest_run(work.session, kind, subject)
    if latest is not None and latest.finished_at is None:
        return latest
    number = latest.number + 1 if latest is not None else 1
    run = Run(
        kind=kind,
        subject=subject,
        number=number,
        total=total,
        started_by=work.actor,
        started_at=work.clock.now(),
        moved_at=work.clock.now(),
    )
    try:
        with work.session.begin_nested():
            work.session.add(run)
    except IntegrityError:
        return work.session.scalars(_select_runs(kind, subject).where(Run.number == number)).one()
    return run


def hold_run(session: Session, run_id: str) -> Run:
    """Return the run as it is now, locked until this transaction ends.

    Other workers wait for the lock and then see the progress of this transaction.
    """
    return locked(session, Run, run_id)


def step(run: Run, clock: Clock, *, done: int, problems: int = 0, **result: Any) -> None:
    """Add to the count of finished items, and to the problems found."""
    run.done, run.problems = run.done + done, run.problems + problems
    run.result, run.moved_at, run.failure = {**run.result, **result}, clock.now(), None


def list_remaining_ids(run: Run, wanted: Sequence[str]) -> Sequence[str]:
    """Return the sorted ids after the last one that the run has done, its result's `after`."""
    return wanted[bisect_right(wanted, run.result.get("after", "")) :]


def finish(run: Run, clock: Clock, **result: Any) -> None:
    """Record that all is done; the next start of the subject makes a new run."""
    step(run, clock, done=0, **result)
    run.finished_at = clock.now()


def fail(run: Run, clock: Clock, failure: str) -> None:
    """Record why the run stopped; when it is started again, it continues."""
    run.failure, run.moved_at = failure, clock.now()


def newest_run(session: Session, kind: str, subject: str) -> Run | None:
    """Return the newest run of a subject, finished or not."""
    return session.scalar(_select_runs(kind, subject).order_by(Run.number.desc()).limit(1))


def finished_runs(session: Session, kinds: Collection[str], subject: str) -> set[tuple[str, str]]:
    """Return workspace and kind of the finished runs; the session reads across workspaces."""
    found = select(Run.workspace_id, Run.kind).where(
        Run.kind.in_(kinds), Run.subject == subject, Run.finished_at.is_not(None)
    )
    return {(workspace_id, kind) for workspace_id, kind in session.execute(found)}


def forget_runs(
    session: Session, clock: Clock, kinds: Collection[str], older_than: timedelta
) -> None:
    """Delete runs that began longer ago; the session writes across workspaces."""
    began_before = Run.started_at < clock.now() - older_than
    session.execute(delete(Run).where(Run.kind.in_(kinds), began_before))


def _select_runs(kind: str, subject: str) -> Select[Run]:
    return select(Run).where(Run.kind == kind, Run.subject == subject)


def stopped_runs(session: Session, most: int = 5) -> Sequence[Run]:
    """Return the runs that stopped with a failure, newest first."""
    question = select(Run).where(Run.failure.is_not(None), Run.finished_at.is_(None))
    return session.scalars(question.order_by(Run.moved_at.desc()).limit(most)).all()


LEFT_ALONE_AFTER = timedelta(minutes=2)
"""A run that has not moved for this long has lost its worker."""


class AskedRun(NamedTuple):
    """A run that waits for a worker."""

    workspace_id: str
    id: str
    kind: str


def ask_run(work: Work, *, kind: str, subject: str, **asked: Any) -> Run:
    """Return a run for a worker to do: the unfinished one of the subject, or a new one."""
    run = start_run(work, kind=kind, subject=subject)
    if run.finished_at is None:
        work.session.flush()
        run.asked, run.failure, run.stop_asked_at = asked or {"by": work.actor}, None, None
        note_audit_event(work, AuditEvent.RUN_ASKED, ("run", run.id), after=_facts_of_run(run))
    work.session.flush()
    return run


def ask_to_stop(work: Work, run_id: str) -> Run:
    """Ask a run to stop after its current part; a new start continues it."""
    run = hold_run(work.session, run_id)
    if run.finished_at is not None:
        raise Refused("run: this activity has already ended.")
    run.stop_asked_at, run.stop_asked_by = work.clock.now(), work.actor
    note_audit_event(work, AuditEvent.RUN_STOPPED, ("run", run.id), after=_facts_of_run(run))
    return run


def heed_stop(run: Run, clock: Clock) -> bool:
    """Whether this locked run was asked to stop; it is then recorded as stopped."""
    if run.stop_asked_at is None:
        return False
    fail(run, clock, "stopped")
    return True


def waiting_runs(session: Session, clock: Clock, kinds: Collection[str]) -> Sequence[AskedRun]:
    """Return the requested runs without a worker; the session reads across workspaces."""
    is_free = (
        Run.failure.is_(None)
        & Run.stop_asked_at.is_(None)
        & or_(Run.taken_at.is_(None), Run.moved_at < clock.now() - LEFT_ALONE_AFTER)
    )
    rows = session.execute(
        select(Run.workspace_id, Run.id, Run.kind)
        .where(Run.kind.in_(kinds), Run.finished_at.is_(None), is_free)
        .order_by(Run.started_at, Run.id)
    )
    # Runs started by a command have no request: the command itself is working on them.
    return [AskedRun(*row) for row in rows]


def take_run(session: Session, clock: Clock, run_id: str) -> Run | None:
    """Return the run for this worker; `None` when another worker took it first."""
    run = hold_run(session, run_id)
    lost_before = clock.now() - LEFT_ALONE_AFTER
    is_free = run.taken_at is None or run.moved_at < lost_before
    if run.finished_at or run.failure or run.stop_asked_at or not run.asked or not is_free:
        return None
    run.taken_at = run.moved_at = clock.now()
    return run


def _facts_of_run(run: Run) -> dict[str, Any]:
    return {"kind": run.kind, "subject": run.subject}


class RunPage(NamedTuple):
    """Some runs, newest first, and the total count."""

    runs: Sequence[Run]
    total: int


def run_page(session: Session, paging: Paging) -> RunPage:
    """Return one page of the workspace's runs."""
    newest = select(Run).order_by(Run.started_at.desc(), Run.id.desc())
    runs = session.scalars(newest.offset(paging.offset).limit(paging.limit)).all()
    return RunPage(runs, session.scalar(select(func.count(Run.id))) or 0)


def run_record(session: Session, run_id: str) -> Run:
    """Return one run of the workspace; raise `NotFound` for an unknown id."""
    run = session.scalar(select(Run).where(Run.id == run_id)) if is_id(run_id) else None
    if run is None:
        raise no_such("run")
    return run


def long_work(name: str, function: str | None = None) -> Callable[..., Any]:
    """Return a function of a module of `pms.jobs`, by default the one with the module's name."""
    work: Callable[..., Any] = getattr(import_module(f"pms.jobs.{name}"), function or name)
    return work
