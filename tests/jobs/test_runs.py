"""A run tells how far long work is, and goes on where it stopped."""

from datetime import timedelta
from threading import Thread

import pytest
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound
from pms.foundation.ids import new_id
from pms.foundation.runs import Run, fail, finish, hold_run, newest_run, start_run, step
from pms.foundation.work import Work
from tests.cast import Cast


def started(database: Database, clock: FixedClock, cast: Cast, subject: str = "2026-12") -> str:
    with database.writing(cast.sumida.workspace_id) as session:
        run = start_run(Work(session, clock, "test"), kind="billing", subject=subject, total=3)
        session.flush()
        return run.id


def test_a_run_started_again_goes_on(database: Database, clock: FixedClock, cast: Cast) -> None:
    run_id = started(database, clock, cast)
    with database.writing(cast.sumida.workspace_id) as session:
        step(hold_run(session, run_id), clock, done=2, problems=1, after="b")
    clock.advance(timedelta(hours=1))
    assert started(database, clock, cast) == run_id
    with database.writing(cast.sumida.workspace_id) as session:
        run = hold_run(session, run_id)
        step(run, clock, done=1)
        finish(run, clock, issued=7)
        assert (run.total, run.done, run.problems) == (3, 3, 1)
        assert run.result == {"after": "b", "issued": 7}
        assert run.finished_at == clock.now()


def test_a_finished_run_started_again_is_the_next_one(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    first = started(database, clock, cast)
    with database.writing(cast.sumida.workspace_id) as session:
        finish(hold_run(session, first), clock)
    second = started(database, clock, cast)
    with database.reading(cast.sumida.workspace_id) as session:
        newest = newest_run(session, "billing", "2026-12")
        assert newest is not None
        assert (newest.id, newest.number) == (second, 2)
        assert set(session.scalars(select(Run.id))) == {first, second}


@pytest.mark.differs("locks")
def test_two_that_start_at_once_share_one_run(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    found: list[str] = []
    starts = [Thread(target=lambda: found.append(started(database, clock, cast))) for _ in range(8)]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_a_failed_run_says_why_and_goes_on(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    run_id = started(database, clock, cast)
    with database.writing(cast.sumida.workspace_id) as session:
        fail(hold_run(session, run_id), clock, "the disk is full")
    assert started(database, clock, cast) == run_id
    with database.writing(cast.sumida.workspace_id) as session:
        run = hold_run(session, run_id)
        assert run.failure == "the disk is full"
        step(run, clock, done=1)
        assert run.failure is None


def test_a_run_of_another_workspace_is_none_here(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    run_id = started(database, clock, cast)
    with database.writing(cast.minato.workspace_id) as session:
        assert newest_run(session, "billing", "2026-12") is None
        for unknown in (run_id, new_id()):
            with pytest.raises(NotFound):
                hold_run(session, unknown)
