"""S11: from nothing to the first answer, and what a worker weighs after the work."""

from collections.abc import Iterable
from functools import partial

from tests.bench.rounds import Figure, Spread, ratio
from tests.bench.serving import PRODUCT, Served
from tests.bench.stage import Stage

_SKELETON = "tests.bench.anchors:skeleton()"
_LOAD = 200


def start(stage: Stage) -> Iterable[Figure]:
    """Start each side anew in turn; the program reads a list of units, the skeleton a table."""
    product, skeleton = (
        partial(_seconds, *side, stage) for side in ((PRODUCT, stage.catalogue), (_SKELETON, b""))
    )
    product()
    found, one, other = ratio(product, skeleton, stage.rounds)
    note = f"{one.median:.2f} s against {other.median:.2f} s"
    yield Figure("S11", "start to first answer against a skeleton", found, 4, 2.5, note=note)
    for _ in range(_LOAD):
        stage.product.ask(stage.catalogue)
        stage.product.ask(stage.residents())
    weight = stage.product.resident_mebibytes()
    yield Figure("S11", "a worker after the load", Spread(weight, weight, weight), 140, 100, "MiB")


def _seconds(what: str, ready: bytes, stage: Stage) -> float:
    with Served(what, stage.data, ready=ready) as served:
        return served.seconds_to_first_answer
