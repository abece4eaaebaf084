"""Publishes the owner statements of a month in parts, each a transaction with its progress."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from sqlalchemy.orm import Session

from pms.foundation.asked_runs import heed_stop
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.runs import Run, finish, hold_run, start_run, step
from pms.rules.days import month_first
from pms.rules.enumerations import RunKind
from pms.statements.owner_months import (
    ASKED_AT_ONCE,
    OwnerBuildingMonth,
    building_ids,
    months_of_buildings,
)
from pms.statements.publish_statement import publish_statement

KIND: Final = RunKind.PUBLISHING.value
_AFTER: Final = "after"


def publishing_run(
    database: Database, clock: Clock, actor: str, workspace_id: str, *, month_on: date
) -> Run:
    """Publish what is not published or changed since, building by building; return the run.

    Started again after it was stopped or killed, it goes on with the buildings that are left.
    """
    month_on = month_first(month_on)

    def start(session: Session) -> tuple[str, Sequence[str]]:
        wanted = building_ids(session)
        run = start_run(session, clock, actor, kind=KIND, subject=f"{month_on:%Y-%m}")
        run.total = run.done + len(_left(wanted, run))
        return run.id, wanted

    run_id, wanted = database.write(workspace_id, start)

    def publish_part(session: Session) -> Run | None:
        """Publish the next ones; return the run once it ended."""
        run = hold_run(session, run_id)
        if run.finished_at is not None or heed_stop(run, clock):
            return run
        ids = _left(wanted, run)[:ASKED_AT_ONCE]
        if not ids:
            finish(run, clock)
            return run
        months = months_of_buildings(session, ids, month_on, clock.today())
        _publish(session, clock, run, months, database.settings.base_url)
        step(run, clock, done=len(ids), after=ids[-1])
        return None

    while True:
        ended = database.write(workspace_id, publish_part)
        if ended is not None:
            return ended


def _publish(
    session: Session,
    clock: Clock,
    run: Run,
    months: Sequence[OwnerBuildingMonth],
    base_url: str,
) -> None:
    wanted = [one for one in months if one.is_to_publish]
    for one in wanted:
        publish_statement(
            session,
            clock,
            run.started_by,
            building_id=one.building_id,
            month_on=one.figures.month_on,
            base_url=base_url,
        )
    barred = [one for one in months if one.bar is not None]
    told = run.result
    step(
        run,
        clock,
        done=0,
        problems=len(barred),
        published=told.get("published", 0) + len(wanted),
        unpublished=[*told.get("unpublished", ()), *_told(barred)],
    )


def _told(barred: Sequence[OwnerBuildingMonth]) -> Iterator[dict[str, str]]:
    for one in barred:
        if one.bar is not None:
            name = one.building.ja or one.building.en or ""
            yield {"row": name, "reason": one.bar.value}


def _left(wanted: Sequence[str], run: Run) -> Sequence[str]:
    """The ids, which stand in their order, that come after what the run has done."""
    return wanted[bisect_right(wanted, run.result.get(_AFTER, "")) :]
