"""A billing run that is killed anywhere and started again writes what an unkilled one writes."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time
from itertools import count

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.runs import Run, newest_run
from pms.foundation.settings import Settings
from pms.jobs.billing_run import BILLING, billing_run
from pms.rules.days import add_months
from tests.jobs.houses_to_bill import ledger_hash, open_house

PART = 3
LATEST_MOMENT = 200
TO_THE_END = 0
FIRST_BILLING_DAY = date(2026, 6, 25)

pytestmark = pytest.mark.differs("locks, and what a killed connection leaves behind")


class Billers:
    """Processes that bill one workspace, started by one that has everything loaded."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def bill(self, day: date, *moments: int) -> list[str]:
        """Bill in as many processes as moments; tell of each whether it was killed or finished."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(" ".join(f"{day} {moment}" for moment in moments) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().split()


@contextmanager
def billers_of(settings: Settings, workspace_id: str) -> Iterator[Billers]:
    """Someone who bills a workspace in processes of their own, until the block ends."""
    outside = {name: text for name, text in os.environ.items() if not name.startswith("PMS_")}
    given = {
        "PMS_ENV": "test",
        "PMS_DATA_DIR": str(settings.data_dir),
        "PMS_DATABASE_URL": settings.database_url,
        "PMS_OWNER_DATABASE_URL": settings.owner_database_url,
    }
    with subprocess.Popen(
        [sys.executable, "-m", "tests.jobs.bill_in_a_process", workspace_id, str(PART)],
        env=outside | given,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Billers(process)


def billing_days() -> Iterator[date]:
    return (add_months(FIRST_BILLING_DAY, months) for months in count())


def clock_of(day: date) -> FixedClock:
    return FixedClock(datetime.combine(day, time(3), tzinfo=UTC))


def moment_of(number: int) -> int:
    """Another moment for each try, the same in each test run; later ones as tries go on."""
    digest = hashlib.sha256(str(number).encode()).digest()
    return 1 + int.from_bytes(digest[:4]) % (LATEST_MOMENT + number)


def run_of(database: Database, workspace_id: str, day: date) -> Run | None:
    with database.reading(workspace_id) as session:
        return newest_run(session, BILLING, f"{add_months(day, 1):%Y-%m}")


@pytest.mark.parametrize(
    ("residents", "kills"),
    [
        (12, 9),
        pytest.param(
            300, 60, marks=pytest.mark.thorough("the same with many more residents and kills")
        ),
    ],
)
def test_a_run_killed_again_and_again_ends_with_the_ledger_of_an_unkilled_one(
    residents: int, kills: int, settings: Settings, database: Database
) -> None:
    killed_id = open_house(database, "killed", residents)
    whole_id = open_house(database, "whole", residents)
    assert ledger_hash(database, killed_id) == ledger_hash(database, whole_id)
    killed, amid_work, days, tries = 0, 0, billing_days(), count()
    day, billed = next(days), []
    with billers_of(settings, killed_id) as billers:
        while killed < kills:
            (ending,) = billers.bill(day, moment_of(next(tries)))
            if ending == "killed":
                killed += 1
                run = run_of(database, killed_id, day)
                amid_work += run is not None and 0 < run.done < run.total
            else:
                assert ending == "finished"
                billed.append(day)
                day = next(days)
    finished = billing_run(database, clock_of(day), "test", killed_id)
    assert finished.finished_at is not None
    assert finished.done == finished.total
    for billed_day in (*billed, day):
        billing_run(database, clock_of(billed_day), "test", whole_id)
    assert amid_work >= kills // 3
    assert ledger_hash(database, killed_id) == ledger_hash(database, whole_id)


def test_runs_started_at_once_share_the_work(settings: Settings, database: Database) -> None:
    shared_id = open_house(database, "shared", 12)
    alone_id = open_house(database, "alone", 12)
    day = add_months(FIRST_BILLING_DAY, 3)
    with billers_of(settings, shared_id) as billers:
        endings = billers.bill(day, TO_THE_END, TO_THE_END, TO_THE_END)
    assert endings == ["finished"] * 3
    billing_run(database, clock_of(day), "test", alone_id)
    assert ledger_hash(database, shared_id) == ledger_hash(database, alone_id)
    run = run_of(database, shared_id, day)
    assert run is not None
    # Who came after the first had finished found nothing left to issue.
    assert run.number == 1 or run.result.get("entries", 0) == 0


def test_billing_again_issues_nothing(database: Database) -> None:
    house_id = open_house(database, "again", 20)
    clock = clock_of(add_months(FIRST_BILLING_DAY, 5))
    first = billing_run(database, clock, "test", house_id)
    before = ledger_hash(database, house_id)
    again = billing_run(database, clock, "test", house_id)
    assert first.result["entries"] > 60
    assert (again.number, again.result.get("entries", 0)) == (2, 0)
    assert ledger_hash(database, house_id) == before
