"""Each daily job is done once a day in each workspace, whatever happens to the workers."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
from sqlalchemy import func, select

from pms.foundation.clock import Clock, FixedClock
from pms.foundation.database import Database
from pms.foundation.idempotency import SentOnce, is_new
from pms.foundation.readiness import JobSlot, take_slot
from pms.foundation.runs import Run, newest_run
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs import daily_jobs
from pms.jobs.billing_run import BILLING
from pms.jobs.daily_jobs import DAILY_JOBS, DailyJob, daily_job, do_daily, run_due_jobs
from pms.jobs.daily_runs import DailyProgress, DailyRun
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools
from pms.jobs.worker import TIMETABLE
from tests.cast import Cast
from tests.jobs.houses_to_bill import open_house

NAMES = {job.name for job in DAILY_JOBS}


def tools_of(settings: Settings, database: Database, clock: Clock) -> Tools:
    return Tools(settings, database, clock, choose_postbox(settings))


def counting(days: list[str]) -> DailyJob:
    """A job that notes what it was asked after, in three parts."""

    def part(work: Work, after: str | None) -> DailyProgress:
        days.append(f"{work.clock.today()} after {after}")
        return DailyProgress(1, 0, {None: "1", "1": "2"}.get(after))

    return DailyJob("count", 0, "Counts.", lambda run: run.in_parts(part))


def finished(database: Database, workspace_id: str, kind: str, subject: str) -> Run | None:
    with database.reading(workspace_id) as session:
        run = newest_run(session, kind, subject)
    return run if run is not None and run.finished_at is not None else None


@pytest.mark.differs("once a period")
def test_a_job_is_done_once_a_day_in_parts(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    asked: list[str] = []
    job = counting(asked)
    for _ in range(3):
        do_daily(job, database, clock, cast.sumida.workspace_id)
    assert asked == [f"2026-11-20 after {after}" for after in (None, 1, 2)]
    clock.advance(timedelta(days=1))
    run = do_daily(job, database, clock, cast.sumida.workspace_id)
    assert run is not None
    assert (run.done, run.subject, run.number) == (3, "2026-11-21", 1)


def test_a_job_asked_for_again_is_another_run(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    job = counting([])
    do_daily(job, database, clock, cast.sumida.workspace_id)
    run = do_daily(job, database, clock, cast.sumida.workspace_id, again=True)
    assert run is not None
    assert run.number == 2


@pytest.mark.differs("locks")
def test_two_workers_at_once_share_the_parts(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    asked: list[str] = []
    job = counting(asked)
    workers = [
        Thread(target=lambda: do_daily(job, database, clock, cast.sumida.workspace_id))
        for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    with database.reading(cast.sumida.workspace_id) as session:
        run = newest_run(session, "count", "2026-11-20")
    assert run is not None
    assert run.number == 1
    assert run.finished_at is not None


def test_a_job_cut_short_goes_on_after_what_it_did(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    asked: list[str | None] = []

    def part(work: Work, after: str | None) -> DailyProgress:
        asked.append(after)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return DailyProgress(1, 0, {None: "1", "1": "2"}.get(after))

    job = DailyJob("count", 0, "Counts.", lambda run: run.in_parts(part))
    with pytest.raises(KeyboardInterrupt):
        do_daily(job, database, clock, cast.sumida.workspace_id)
    run = do_daily(job, database, clock, cast.sumida.workspace_id)
    assert asked == [None, "1", "1", "2"]
    assert run is not None
    assert run.done == 3


@pytest.fixture
def failing_in_sumida(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The jobs of the day are one that fails in Sumida, and one that counts."""
    done: list[str] = []

    def work(run: DailyRun) -> None:
        if run.workspace_id == cast.sumida.workspace_id and not done:
            raise RuntimeError("the mail server is on fire")

    def count(run: DailyRun) -> None:
        done.append(run.workspace_id)

    jobs = (DailyJob("fail", 0, "Fails.", work), DailyJob("count", 0, "Counts.", count))
    monkeypatch.setattr(daily_jobs, "DAILY_JOBS", jobs)
    return done


def test_a_job_that_fails_stops_no_other_and_is_tried_again(
    settings: Settings,
    database: Database,
    clock: FixedClock,
    cast: Cast,
    failing_in_sumida: list[str],
) -> None:
    tools = tools_of(settings, database, clock)
    run_due_jobs(tools)
    assert set(failing_in_sumida) == {cast.sumida.workspace_id, cast.minato.workspace_id}
    assert finished(database, cast.sumida.workspace_id, "fail", "2026-11-20") is None
    with database.reading(cast.sumida.workspace_id) as session:
        run = newest_run(session, "fail", "2026-11-20")
        assert run is not None
        assert run.failure == "RuntimeError: the mail server is on fire"
    run_due_jobs(tools)
    assert finished(database, cast.sumida.workspace_id, "fail", "2026-11-20")
    assert len(failing_in_sumida) == 2


@pytest.mark.differs("locks")
def test_a_turn_that_comes_while_the_work_goes_on_is_let_go_by(
    settings: Settings,
    database: Database,
    clock: FixedClock,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tools = tools_of(settings, database, clock)
    asked: list[str] = []

    def work(run: DailyRun) -> None:
        asked.append(run.workspace_id)
        run_due_jobs(tools)

    monkeypatch.setattr(daily_jobs, "DAILY_JOBS", (DailyJob("once", 0, "Once.", work),))
    run_due_jobs(tools)
    assert sorted(asked) == sorted([cast.sumida.workspace_id, cast.minato.workspace_id])


def test_a_job_waits_for_its_hour_in_japan(
    settings: Settings, database: Database, cast: Cast
) -> None:
    one_in_japan = FixedClock(datetime(2026, 11, 24, 16, 0, tzinfo=UTC))
    tools = tools_of(settings, database, one_in_japan)
    run_due_jobs(tools)
    ids = cast.sumida.workspace_id
    assert finished(database, ids, "advance-lifecycles", "2026-11-25")
    assert finished(database, ids, "bill-month", "2026-11-25") is None
    one_in_japan.advance(timedelta(hours=2))
    run_due_jobs(tools)
    assert finished(database, ids, "bill-month", "2026-11-25")


def billing_days(database: Database, workspace_id: str) -> Iterator[str]:
    with database.reading(workspace_id) as session:
        yield from session.scalars(
            select(Run.subject).where(Run.kind == BILLING).order_by(Run.started_at, Run.id)
        )


@pytest.mark.differs("once a period")
def test_rent_is_billed_on_the_billing_day_and_once(database: Database) -> None:
    house_id = open_house(database, "daily", 3)
    clock = FixedClock(datetime(2026, 7, 23, 3, 0, tzinfo=UTC))
    for _ in range(5):
        do_daily(daily_job("bill-month"), database, clock, house_id)
        clock.advance(timedelta(days=1))
    assert list(billing_days(database, house_id)) == ["2026-07", "2026-08"]


def test_a_billing_day_without_a_worker_is_made_up_for(database: Database) -> None:
    house_id = open_house(database, "late", 3)
    clock = FixedClock(datetime(2026, 7, 28, 3, 0, tzinfo=UTC))
    do_daily(daily_job("bill-month"), database, clock, house_id)
    assert list(billing_days(database, house_id)) == ["2026-08"]


def test_old_slots_and_daily_runs_are_forgotten(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    (forgetting,) = (entry for entry in TIMETABLE if entry.name == "forget_old_work")
    take_slot(database, "daily_jobs", "old", clock)
    do_daily(daily_job("advance-lifecycles"), database, clock, cast.sumida.workspace_id)
    open_house(database, "kept", 1)
    clock.advance(timedelta(days=61))
    take_slot(database, "daily_jobs", "new", clock)
    forgetting.work(tools_of(settings, database, clock))
    with database.across_workspaces_reading() as session:
        assert list(session.scalars(select(JobSlot.slot))) == ["new"]
        assert session.scalar(select(func.count()).select_from(Run)) == 0


def test_keys_of_taps_are_forgotten_after_thirty_days(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    (forgetting,) = (entry for entry in TIMETABLE if entry.name == "forget_old_work")
    for key, days in (("old", 31), ("new", 30)):
        with database.writing(cast.sumida.workspace_id) as session:
            assert is_new(session, clock, "person/one", key)
        clock.advance(timedelta(days=days))
        forgetting.work(tools_of(settings, database, clock))
    with database.across_workspaces_reading() as session:
        assert list(session.scalars(select(SentOnce.key))) == ["new"]


def test_every_daily_job_has_a_name_of_its_own_and_says_what_it_does() -> None:
    assert len(NAMES) == len(DAILY_JOBS)
    assert all(job.about.endswith(".") and 0 <= job.from_hour < 24 for job in DAILY_JOBS)
