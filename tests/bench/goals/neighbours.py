"""A workspace's page costs the same however many other workspaces there are."""

from collections.abc import Iterable
from functools import partial

from tests.bench.data import CATALOGUE, Data, Measured, alone
from tests.bench.rounds import Figure, Side, ratio
from tests.bench.serving import PRODUCT, Served, question
from tests.bench.stage import Stage, cold_cpu_of


def flat(stage: Stage) -> Iterable[Figure]:
    """The largest workspace and a small one, beside one other and beside all the others."""
    kept = (stage.largest, stage.data.workspaces[-1])
    lonely = alone(stage.data, stage.folder / "alone", kept)
    lonely_product = stage.serve(PRODUCT, lonely)
    for name, workspace in zip(("largest", "small"), kept, strict=True):
        crowded, lone = (
            _side(stage, served, data, workspace)
            for served, data in ((stage.product, stage.data), (lonely_product, lonely))
        )
        found, *_ = ratio(crowded, lone, stage.rounds)
        others = len(stage.data.workspaces) - 1
        what = f"cold page of the {name} workspace beside {others} others against 1"
        yield Figure("flat", what, found, 1.1, 1.0)


def _side(stage: Stage, served: Served, data: Data, workspace: Measured) -> Side:
    request = question(stage.page, workspace.read_key)
    change = partial(data.raise_version, workspace, CATALOGUE)
    return cold_cpu_of(served, request, stage.requests * 2, change)
