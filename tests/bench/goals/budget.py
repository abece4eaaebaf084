"""S4 and S5: the request budget is exact, cheap, and no lock of the database stalls it."""

import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from multiprocessing import get_context
from statistics import quantiles
from uuid import uuid4

from tests.bench.rounds import Figure, Spread, ratio, spread, warm_up
from tests.bench.serving import Served, question
from tests.bench.stage import HELLO, Stage, cpu_of
from tests.budget.racing import PROCESSES, admitted

_BUDGET, _ASKED = 300, 1_200
_LOCKED_SECONDS = 3.0
_AT_ONCE = 64
_COUNTED_HELLO = "tests.bench.anchors:counted_hello()"


def judge_budget(stage: Stage) -> Iterable[Figure]:
    """How exact it is in a race over processes, and what it adds to a bare route."""
    yield from _race(stage)
    yield from _added(stage)


def _race(stage: Stage) -> Iterable[Figure]:
    """Four processes of two threads ask one key for more than it has."""
    with get_context("spawn").Pool(PROCESSES) as pool:
        passed = [
            float(admitted(pool, stage.data.settings, uuid4().hex, _BUDGET, _ASKED))
            for _ in range(min(stage.rounds, 3))
        ]
    wrong = spread([abs(count - _BUDGET) for count in passed])
    note = f"{_BUDGET} of {_ASKED} to be admitted, 4 processes of 2 threads"
    yield Figure("S4", "race for one key, admitted too many or too few", wrong, 0, 0, "", note=note)


def _added(stage: Stage) -> Iterable[Figure]:
    """What counting adds to a bare route, two workers over one file."""
    hello = question("/")
    count = stage.requests * 10
    with (
        Served(_COUNTED_HELLO, stage.data, workers=2) as counted,
        Served(HELLO, stage.data, workers=2) as bare,
    ):
        # Two workers answer faster than one client asks four times.
        ours, theirs = (cpu_of(served, hello, count, _AT_ONCE) for served in (counted, bare))
        found, *_ = ratio(ours, theirs, stage.rounds)
    percent = Spread(*((value - 1) * 100 for value in found))
    yield Figure("S4", "CPU the budget adds to hello, two workers", percent, 100, 60, "%")


def locked(stage: Stage) -> Iterable[Figure]:
    """The list of units while somebody holds the write lock of the database."""
    warm_up(lambda: stage.product.ask(stage.catalogue))
    free = _polled(stage)
    with closing(sqlite3.connect(stage.data.path, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        held = _polled(stage)
        writer.execute("ROLLBACK")
    share = len(held) / len(free)
    note = f"{len(held)} answers in {_LOCKED_SECONDS:.0f} s"
    yield Figure(
        "S5",
        "list of units under a write lock, share of the free rate",
        Spread(share, share, share),
        0.8,
        0.95,
        more_is_better=True,
        note=note,
    )
    late = quantiles(held, n=100)[98] * 1000
    yield Figure(
        "S5", "the same, 99th percentile", Spread(late, late, max(held) * 1000), 20, 5, "ms"
    )


def _polled(stage: Stage) -> list[float]:
    """Return the seconds of every answer of an impatient poller."""
    taken: list[float] = []
    until = time.perf_counter() + _LOCKED_SECONDS
    while (began := time.perf_counter()) < until:
        answer = stage.product.ask(stage.catalogue)
        assert answer.startswith(b"HTTP/1.1 200")
        taken.append(time.perf_counter() - began)
    return taken
