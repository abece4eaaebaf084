"""S6: a page of residents."""

from collections.abc import Iterable

from tests.bench.rounds import Figure, ratio
from tests.bench.stage import Stage, cpu_of

_LIMIT = 50


def page(stage: Stage) -> Iterable[Figure]:
    """The first page against the floor, and the last against the first."""
    count = stage.requests * 2
    first, floor = (
        cpu_of(served, stage.residents(), count) for served in (stage.product, stage.floor)
    )
    found, one, other = ratio(first, floor, stage.rounds)
    note = f"{one.median * 1e3:.2f} ms against {other.median * 1e3:.2f} ms"
    yield Figure("S6", "50 residents, CPU against the floor", found, 2.5, 1.5, note=note)
    last = cpu_of(stage.product, stage.residents(stage.largest.reservations // _LIMIT), count)
    found, *_ = ratio(last, first, stage.rounds)
    yield Figure("S6", "the last page against the first", found, 1.6, 1.1)
