"""Bills a workspace's month in parts, each a transaction together with the progress of its run.

Whoever works on a run holds its row until the part commits, so that two started at once take
turns, and a process that is killed leaves whole parts behind and no lock.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import structlog
from sqlalchemy.orm import Session

from pms.foundation.asked_runs import heed_stop
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.runs import Run, fail, finish, hold_run, start_run, step
from pms.ledger.bill_month import bill_month
from pms.ledger.billing_plan import BilledMonth, reservations_to_bill
from pms.rules.billing_calendar import billed_through_on
from pms.rules.days import add_months, month_first, month_last
from pms.workspaces.queries import policy

KIND = "billing"
PART = 500
MOST_TOLD = 1_000
_AFTER = "after"
_log = structlog.get_logger("pms.jobs.billing_run")


def billing_run(
    database: Database,
    clock: Clock,
    actor: str,
    workspace_id: str,
    *,
    through_on: date | None = None,
    part: int = PART,
) -> Run:
    """Write all rent that is missing through a month; return the finished run.

    Started again after it was killed, or beside another one, it goes on with what is left.
    """

    def start(session: Session) -> tuple[str, date, Sequence[str]]:
        month_on = billed_month(session, clock, through_on)
        wanted = reservations_to_bill(session, month_on)
        run = start_run(session, clock, actor, kind=KIND, subject=f"{month_on:%Y-%m}")
        run.total = run.done + len(_left(wanted, run))
        return run.id, month_on, wanted

    run_id, month_on, wanted = database.write(workspace_id, start)
    parts = _Parts(database, clock, actor, workspace_id, run_id, month_on)
    try:
        return parts.bill(wanted, part)
    except Exception as failure:
        parts.note_failure(failure)
        raise


def billed_month(session: Session, clock: Clock, through_on: date | None) -> date:
    """Return the last day a run bills; refuse a month later than the next one."""
    latest_on = month_last(add_months(month_first(clock.today()), 1))
    if through_on is None:
        return billed_through_on(clock.today(), policy(session))
    if through_on > latest_on:
        raise Refused(
            "through: {through_on:%Y-%m} is too far ahead; {latest_on:%Y-%m} is the latest month.",
            through_on=through_on,
            latest_on=latest_on,
        )
    return month_last(through_on)


@dataclass(frozen=True)
class _Parts:
    """The parts of one run, in the order of the reservations' ids."""

    database: Database
    clock: Clock
    actor: str
    workspace_id: str
    run_id: str
    through_on: date

    def bill(self, wanted: Sequence[str], part: int) -> Run:
        """Bill part after part until nobody is left; return the finished run."""
        while True:
            run = self.database.write(
                self.workspace_id, lambda session: self._bill_next(session, wanted, part)
            )
            if run.finished_at is not None or run.stop_asked_at is not None:
                return run

    def note_failure(self, failure: Exception) -> None:
        """Write into the run why it stopped."""
        _log.exception("billing stopped", run=self.run_id, failure=str(failure))
        name = type(failure).__name__
        self.database.write(
            self.workspace_id,
            lambda session: fail(hold_run(session, self.run_id), self.clock, name),
        )

    def _bill_next(self, session: Session, wanted: Sequence[str], part: int) -> Run:
        run = hold_run(session, self.run_id)
        if run.finished_at is not None or heed_stop(run, self.clock):
            return run
        ids = _left(wanted, run)[:part]
        if not ids:
            finish(run, self.clock)
            return run
        billed = bill_month(
            session,
            self.clock,
            self.actor,
            reservation_ids=ids,
            through_on=self.through_on,
        )
        step(
            run,
            self.clock,
            done=len(ids),
            problems=len(billed.problems),
            **_told(run, billed),
            after=ids[-1],
        )
        return run


def _left(wanted: Sequence[str], run: Run) -> Sequence[str]:
    """The ids, which stand in their order, that come after what the run has done."""
    return wanted[bisect_right(wanted, run.result.get(_AFTER, "")) :]


def _told(run: Run, billed: BilledMonth) -> dict[str, object]:
    """The figures of all parts so far."""
    told = run.result
    problems = [*told.get("unbilled", ()), *_problems(billed)]
    return {
        "through": billed.through_on.isoformat(),
        "reservations": told.get("reservations", 0) + billed.reservations,
        "entries": told.get("entries", 0) + billed.entries,
        "total_yen": told.get("total_yen", 0) + billed.total_yen,
        "unbilled": problems[:MOST_TOLD],
    }


def _problems(billed: BilledMonth) -> Iterator[dict[str, str]]:
    for problem in billed.problems:
        yield {
            "reservation": problem.reservation_id,
            "reason": problem.reason.value,
            "message": problem.message,
        }
