"""Runs a daily job by hand, for one workspace or all of them."""

from collections.abc import Iterator
from typing import NamedTuple

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.jobs.daily_jobs import daily_job, do_daily


class JobDone(NamedTuple):
    """How a job went in one workspace; `was_done` when it had been done for the day before."""

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
    """Do today's work of the job in each workspace, and tell of each how it went."""
    job = daily_job(name)
    for workspace_id in workspace_ids:
        run = do_daily(job, database, clock, workspace_id, actor=actor, again=again)
        if run is None:
            yield JobDone(workspace_id, was_done=True)
        else:
            yield JobDone(workspace_id, False, run.done, run.problems)
