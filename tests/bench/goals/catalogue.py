"""P1 to P4: the list of units cold, warm, unchanged and compressed."""

import gzip
from collections.abc import Iterable
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from unittest.mock import patch

from app import create_app
from tests.bench.data import CATALOGUE, OCCUPANCY
from tests.bench.rounds import Figure, Spread, ratio
from tests.bench.serving import header, question
from tests.bench.stage import Stage, cold_cpu_of, cpu_of, rate_of

_MANY = 10
_COLD = {
    OCCUPANCY: ("cold after a booking, CPU against the floor", None, None),
    CATALOGUE: ("cold after a catalogue edit, CPU against the floor", 1.8, 0.8),
}


def cold(stage: Stage) -> Iterable[Figure]:
    """Every request meets a workspace that has changed since the last one.

    The second, the worse, is judged: nothing kept from before may be shown again.
    """
    for counter, (what, must, stretch) in _COLD.items():
        change = partial(stage.data.raise_version, stage.largest, counter)
        ours, theirs = (
            cold_cpu_of(served, stage.catalogue, stage.requests, change)
            for served in (stage.product, stage.floor)
        )
        found, one, other = ratio(ours, theirs, stage.rounds)
        note = f"{one.median * 1e3:.2f} ms against {other.median * 1e3:.2f} ms"
        yield Figure("P1", what, found, must, stretch, note=note)


def warm(stage: Stage) -> Iterable[Figure]:
    """The same page again and again."""
    found, note = _against_hello(stage, stage.catalogue)
    yield Figure("P2", "warm 200, CPU against hello", found, 4.0, 3.0, note=note)


def unchanged(stage: Stage) -> Iterable[Figure]:
    """A poll that knows the newest answer."""
    tag = header(stage.product.ask(stage.catalogue), "ETag")
    request = question(stage.page, stage.largest.read_key, If_None_Match=tag)
    assert stage.product.ask(request).startswith(b"HTTP/1.1 304")
    found, note = _against_hello(stage, request)
    yield Figure("P3", "304, CPU against hello", found, 3.5, 2.5, note=note)
    count = stage.requests * _MANY
    ours = rate_of(stage.product, request, count)
    theirs = rate_of(stage.hello, question("/"), count)
    found, one, _ = ratio(ours, theirs, stage.rounds)
    yield Figure(
        "P3",
        "304, answers a second against hello",
        found,
        0.28,
        0.4,
        more_is_better=True,
        note=f"{one.median:.0f} a second",
    )


def compressed(stage: Stage) -> Iterable[Figure]:
    """The same page for whoever takes gzip, compressed once a version."""
    request = question(stage.page, stage.largest.read_key, Accept_Encoding="gzip")
    assert header(stage.product.ask(request), "Content-Encoding") == "gzip"
    found, note = _against_hello(stage, request)
    yield Figure("P4", "warm gzip, CPU against hello", found, 2.6, 1.6, note=note)
    times = float(_compressions(stage))
    yield Figure("P4", "compressions of one version", Spread(times, times, times), 1, 1, "")


def _against_hello(stage: Stage, request: bytes) -> tuple[Spread, str]:
    count = stage.requests * _MANY
    ours = cpu_of(stage.product, request, count)
    theirs = cpu_of(stage.hello, question("/"), count)
    found, one, other = ratio(ours, theirs, stage.rounds)
    return found, f"{one.median * 1e6:.0f} µs against {other.median * 1e6:.0f} µs"


def _compressions(stage: Stage) -> int:
    app = create_app(stage.data.settings)
    headers = {"Authorization": f"Bearer {stage.largest.read_key}", "Accept-Encoding": "gzip"}
    with patch("gzip.compress", wraps=gzip.compress) as compress, redirect_stdout(StringIO()):
        for _ in range(5):
            app.test_client().get(stage.page, headers=headers)
    app.extensions["pms.database"].dispose()
    return compress.call_count
