"""One daily job's run of one day: in parts, each in a transaction, until nothing is left."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.runs import (
    Run,
    fail,
    finish,
    hold_run,
    newest_run,
    start_run,
    step,
)
from pms.foundation.work import Work

MOST_PARTS = 100_000
_AFTER = "after"


class DailyProgress(NamedTuple):
    """What one part of a daily job did, and where the next one continues; None ends the day."""

    done: int
    problems: int = 0
    after: str | None = None


UseCase = Callable[[Work, str | None], DailyProgress]
"""Does one part of what is due, after the place where the part before it ended."""


@dataclass(frozen=True)
class DailyRun:
    """The run of a daily job."""

    database: Database
    clock: Clock
    actor: str
    workspace_id: str
    run_id: str

    def in_parts(self, use_case: UseCase) -> None:
        """Run the use case part by part, each in its own transaction.

        The run's row is locked during each part: a second worker waits and then continues after it.
        """
        for _ in range(MOST_PARTS):
            if not self._goes_on(use_case):
                return
            self.database.let_others_write()
        raise RuntimeError(f"{MOST_PARTS} parts were done and there is still something to do")

    def note(self, done: int, problems: int = 0) -> None:
        """Record what was done outside of `in_parts`."""
        self.database.write(
            self.workspace_id,
            lambda session: step(
                hold_run(session, self.run_id), self.clock, done=done, problems=problems
            ),
        )

    def finish(self) -> Run:
        """Record that the day is done."""

        def finish_day(session: Session) -> Run:
            run = hold_run(session, self.run_id)
            finish(run, self.clock)
            return run

        return self.database.write(self.workspace_id, finish_day)

    def note_failure(self, failure: Exception) -> None:
        """Record why the day is not done."""
        reason = f"{type(failure).__name__}: {failure}"[:500]
        self.database.write(
            self.workspace_id,
            lambda session: fail(hold_run(session, self.run_id), self.clock, reason),
        )

    def _goes_on(self, use_case: UseCase) -> bool:
        def do_part(session: Session) -> bool:
            run = hold_run(session, self.run_id)
            if run.finished_at is not None:
                return False
            part = use_case(Work(session, self.clock, self.actor), run.result.get(_AFTER))
            progress = {} if part.after is None else {_AFTER: part.after}
            step(run, self.clock, done=part.done, problems=part.problems, **progress)
            return part.after is not None

        return self.database.write(self.workspace_id, do_part)


def open_day(
    database: Database, clock: Clock, actor: str, workspace_id: str, job: str, *, again: bool
) -> DailyRun | None:
    """Return the job's run of today, or None if it was finished before."""
    subject = clock.today().isoformat()

    def open_run(session: Session) -> str | None:
        latest = newest_run(session, job, subject)
        if latest is not None and latest.finished_at is not None and not again:
            return None
        run = start_run(Work(session, clock, actor), kind=job, subject=subject)
        session.flush()
        return run.id

    run_id = database.write(workspace_id, open_run)
    return None if run_id is None else DailyRun(database, clock, actor, workspace_id, run_id)
