"""The web server loads the program once and replaces the workers that end."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pms.foundation.settings import Settings
from tests.servers.served import served


def _workers(pid: int) -> set[int]:
    """Return the children of a master, without the one that compiles templates."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(one) for one in found if b"-c" not in _words(one)}


def _words(pid: str) -> list[bytes]:
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")


def _wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not until():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_worker_that_is_killed_is_replaced(settings: Settings) -> None:
    with served(settings) as server:
        (before,) = _workers(server.pid)
        os.kill(before, signal.SIGKILL)
        _wait(lambda: bool(_workers(server.pid) - {before}))
        _wait(server.is_up)


@pytest.mark.thorough("waits for every worker to be replaced")
def test_a_hang_up_replaces_all_workers_and_they_go_on_counting(settings: Settings) -> None:
    with served(settings, workers=2, PMS_METRICS_TOKEN="metrics-of-a-test") as server:
        before = _workers(server.pid)
        os.kill(server.pid, signal.SIGHUP)
        _wait(lambda: len(_workers(server.pid)) == 2 and not _workers(server.pid) & before)
        _wait(server.is_up)
        counted = server.ask("/metrics", Authorization="Bearer metrics-of-a-test")
        assert b"pms_requests" in counted.body
        assert "Traceback" not in server.log()
        assert "Warning" not in server.log()
