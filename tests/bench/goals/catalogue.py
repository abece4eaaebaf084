"""S1 and S3: the list of units cold, kept and unchanged."""

from collections.abc import Iterable
from functools import partial

from tests.bench.data import CATALOGUE, OCCUPANCY
from tests.bench.rounds import Figure, Spread, ratio
from tests.bench.serving import header, question
from tests.bench.stage import Stage, cold_cpu_of, cpu_of

_MANY = 10
_COLD = {
    OCCUPANCY: ("cold after a booking, CPU against the floor", 1.8, 1.0),
    CATALOGUE: ("cold after a catalogue edit, CPU against the floor", 1.8, 1.0),
}


def cold(stage: Stage) -> Iterable[Figure]:
    """Every request meets a workspace that has changed since the last one.

    Nothing kept from before may be shown again.
    """
    for counter, (what, must, stretch) in _COLD.items():
        change = partial(stage.data.raise_version, stage.largest, counter)
        ours, theirs = (
            cold_cpu_of(served, stage.catalogue, stage.requests, change)
            for served in (stage.product, stage.floor)
        )
        found, one, other = ratio(ours, theirs, stage.rounds)
        note = f"{one.median * 1e3:.2f} ms against {other.median * 1e3:.2f} ms"
        yield Figure("S1", what, found, must, stretch, note=note)


def kept(stage: Stage) -> Iterable[Figure]:
    """The same page again and again, and a poll that knows the newest answer."""
    found, note = _against_hello(stage, stage.catalogue)
    yield Figure("S3", "kept body, CPU against a bare route", found, 4.0, 3.0, note=note)
    tag = header(stage.product.ask(stage.catalogue), "ETag")
    request = question(stage.page, stage.largest.read_key, If_None_Match=tag)
    assert stage.product.ask(request).startswith(b"HTTP/1.1 304")
    found, note = _against_hello(stage, request)
    yield Figure("S3", "unchanged poll, CPU against a bare route", found, 3.5, 2.5, note=note)


def _against_hello(stage: Stage, request: bytes) -> tuple[Spread, str]:
    count = stage.requests * _MANY
    ours = cpu_of(stage.product, request, count)
    theirs = cpu_of(stage.hello, question("/"), count)
    found, one, other = ratio(ours, theirs, stage.rounds)
    return found, f"{one.median * 1e6:.0f} µs against {other.median * 1e6:.0f} µs"
