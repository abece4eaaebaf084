"""However many ask at once, exactly the budget passes."""

import multiprocessing
import os
from pathlib import Path

from pms.foundation.budget import open_storage
from pms.foundation.settings import Settings
from tests.budget.conftest import HOUR, Bench, settings_with
from tests.budget.racing import PROCESSES, THREADS, admitted


def test_four_processes_of_two_threads_admit_exactly_the_budget(
    settings: Settings, bucket: str
) -> None:
    assert (PROCESSES, THREADS) == (4, 2)
    assert admitted(settings, bucket, limit=300, requests=2000) == 300


def test_processes_that_make_the_file_together_lose_no_request(tmp_path: Path) -> None:
    for attempt in range(3):
        fresh = settings_with(tmp_path / str(attempt))
        assert admitted(fresh, "key/fresh", limit=10, requests=40) == 10


def test_a_child_does_not_speak_on_its_parents_connection(bench: Bench, bucket: str) -> None:
    bench.spend(bucket, 3)
    child = os.fork()
    if child == 0:
        os._exit(0 if bench.spend(bucket, 3).remaining == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert bench.spend(bucket, 3).remaining == 0
    assert not bench.spend(bucket, 3).passed


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
