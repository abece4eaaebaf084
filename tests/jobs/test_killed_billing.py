"""A billing run that is killed anywhere and started again writes what an unkilled one writes.

PMS_KILLS=50 kills more often.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from itertools import count

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.runs import Run, newest_run
from pms.foundation.settings import Settings
from pms.jobs.billing_run import KIND, billing_run
from pms.rules.days import add_months
from tests.jobs.houses_to_bill import ledger_hash, open_house

KILLS = int(os.environ.get("PMS_KILLS", "12"))
RESIDENTS = 300
PART = 5
LONGEST_LIFE_SECONDS = 0.3
FIRST_BILLING_DAY = date(2026, 6, 25)


def billing_days() -> Iterator[date]:
    return (add_months(FIRST_BILLING_DAY, months) for months in count())


def clock_of(day: date) -> FixedClock:
    return FixedClock(datetime.combine(day, time(3), tzinfo=UTC))


def started(settings: Settings, workspace_id: str, day: date) -> subprocess.Popen[str]:
    """A process that is about to bill."""
    words = ["-m", "tests.jobs.bill_in_a_process", workspace_id, day.isoformat(), str(PART)]
    outside = {name: text for name, text in os.environ.items() if not name.startswith("PMS_")}
    process = subprocess.Popen(
        [sys.executable, *words],
        env=outside
        | {
            "PMS_ENV": "test",
            "PMS_DATA_DIR": str(settings.data_dir),
            "PMS_DATABASE_URL": settings.database_url,
            "PMS_OWNER_DATABASE_URL": settings.owner_database_url,
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "go\n"
    return process


def is_killed(process: subprocess.Popen[str], life_seconds: float) -> bool:
    """Kill the process after a while; tell whether it was still at work."""
    try:
        assert process.wait(life_seconds) == 0
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    assert process.stdout is not None
    process.stdout.close()
    return process.returncode != 0


def life_of(number: int) -> float:
    """Some share of the longest life, another one each time and the same in each test run."""
    digest = hashlib.sha256(str(number).encode()).digest()
    return LONGEST_LIFE_SECONDS * digest[0] / 255


def run_of(database: Database, workspace_id: str, day: date) -> Run | None:
    with database.reading(workspace_id) as session:
        return newest_run(session, KIND, f"{add_months(day, 1):%Y-%m}")


def test_a_run_killed_again_and_again_ends_with_the_ledger_of_an_unkilled_one(
    settings: Settings, database: Database
) -> None:
    killed_id = open_house(database, "killed", RESIDENTS)
    whole_id = open_house(database, "whole", RESIDENTS)
    assert ledger_hash(database, killed_id) == ledger_hash(database, whole_id)
    kills, tries, amid_work, days = 0, 0, 0, billing_days()
    day, billed = next(days), []
    # A slow machine has hardly begun when it is killed: lives become longer until enough were not.
    while (kills < KILLS or amid_work < KILLS // 3) and tries < 20 * KILLS:
        tries += 1
        if is_killed(started(settings, killed_id, day), life_of(tries) * (1 + tries / KILLS)):
            kills += 1
            run = run_of(database, killed_id, day)
            amid_work += run is not None and 0 < run.done < run.total
        else:
            billed.append(day)
            day = next(days)
    finished = billing_run(database, clock_of(day), "test", killed_id)
    assert finished.finished_at is not None
    assert finished.done == finished.total
    for billed_day in (*billed, day):
        billing_run(database, clock_of(billed_day), "test", whole_id)
    assert amid_work >= KILLS // 3
    assert ledger_hash(database, killed_id) == ledger_hash(database, whole_id)


def test_runs_started_at_once_share_the_work(settings: Settings, database: Database) -> None:
    shared_id = open_house(database, "shared", 60)
    alone_id = open_house(database, "alone", 60)
    day = add_months(FIRST_BILLING_DAY, 3)
    processes = [started(settings, shared_id, day) for _ in range(3)]
    assert not any(is_killed(process, 60) for process in processes)
    billing_run(database, clock_of(day), "test", alone_id)
    assert ledger_hash(database, shared_id) == ledger_hash(database, alone_id)
    run = run_of(database, shared_id, day)
    assert run is not None
    # Who came after the first had finished found nothing left to issue.
    assert run.number == 1 or run.result.get("entries", 0) == 0


def test_billing_again_issues_nothing(database: Database) -> None:
    house_id = open_house(database, "again", 30)
    clock = clock_of(add_months(FIRST_BILLING_DAY, 5))
    first = billing_run(database, clock, "test", house_id)
    before = ledger_hash(database, house_id)
    again = billing_run(database, clock, "test", house_id)
    assert first.result["entries"] > 100
    assert (again.number, again.result.get("entries", 0)) == (2, 0)
    assert ledger_hash(database, house_id) == before
