"""The goals, each as the figures it is judged by."""

from collections.abc import Callable, Iterable

from tests.bench.goals import (
    billing,
    budget,
    card_moves,
    catalogue,
    fragments,
    frameworks,
    key_lookup,
    neighbours,
    residents,
    starting,
    statements,
    telemetry,
    timeline,
)
from tests.bench.rounds import Figure
from tests.bench.stage import Stage

GOALS: dict[str, Callable[[Stage], Iterable[Figure]]] = {
    "P1": catalogue.cold,
    "P2": catalogue.warm,
    "P3": catalogue.unchanged,
    "P4": catalogue.compressed,
    "P5": budget.race,
    "P6": budget.added,
    "P7": budget.locked,
    "P8": key_lookup.look_up,
    "P9": residents.page,
    "P10": billing.rate,
    "P11": billing.growth,
    "P12": timeline.measure,
    "P13": card_moves.move,
    "P14": starting.start,
    "P15": statements.count,
    "P16": frameworks.against_frameworks,
    "part": fragments.measure,
    "flat": neighbours.flat,
    "visits": telemetry.take_in,
}
