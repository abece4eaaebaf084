"""However many ask at once, exactly the budget passes."""

import multiprocessing
from collections.abc import Iterator
from multiprocessing.pool import Pool
from pathlib import Path

import pytest

from pms.foundation.budget import open_storage
from pms.foundation.settings import Settings
from tests.budget.conftest import HOUR, settings_with
from tests.budget.racing import PROCESSES, THREADS, admitted


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Processes that stay, so that none is ahead of the others when they are asked."""
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as processes:
        yield processes
        processes.close()
        processes.join()


@pytest.mark.parametrize(
    ("limit", "requests"),
    [(60, 400), pytest.param(300, 2_000, marks=pytest.mark.thorough("five times as many"))],
)
def test_four_processes_of_two_threads_admit_exactly_the_budget(
    limit: int, requests: int, settings: Settings, bucket: str, pool: Pool
) -> None:
    assert (PROCESSES, THREADS) == (4, 2)
    assert admitted(pool, settings, bucket, limit, requests) == limit


def test_processes_that_make_the_file_together_lose_no_request(tmp_path: Path, pool: Pool) -> None:
    for attempt in range(20):
        fresh = settings_with(tmp_path / str(attempt))
        assert admitted(pool, fresh, "key/fresh", limit=10, requests=40) == 10


def test_a_process_that_is_killed_holding_a_request_blocks_nobody(
    settings: Settings, bucket: str
) -> None:
    started = multiprocessing.get_context("spawn").Event()
    flood = multiprocessing.get_context("spawn").Process(
        target=spend_forever, args=(settings, bucket, started)
    )
    flood.start()
    assert started.wait(30)
    flood.kill()
    flood.join()
    storage = open_storage(settings)
    assert storage.spend(bucket, 1, HOUR).passed is False
    storage.close()


def spend_forever(
    settings: Settings, bucket: str, started: "multiprocessing.synchronize.Event"
) -> None:
    storage = open_storage(settings)
    while True:
        storage.spend(bucket, 1, HOUR)
        started.set()
