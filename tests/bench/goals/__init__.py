"""The goals, each as the figures it is judged by."""

from collections.abc import Callable, Iterable

from tests.bench.goals import (
    bank_day,
    billing,
    budget,
    card_moves,
    catalogue,
    frameworks,
    neighbours,
    pages,
    residents,
    starting,
    statements,
    taking_over,
    telemetry,
)
from tests.bench.rounds import Figure
from tests.bench.stage import Stage

GOALS: dict[str, Callable[[Stage], Iterable[Figure]]] = {
    "S1": catalogue.cold,
    "S2": frameworks.against_frameworks,
    "S3": catalogue.kept,
    "S4": budget.judge_budget,
    "S5": budget.locked,
    "S6": residents.page,
    "S7": pages.judge_pages,
    "S9": pages.judge_first_visits,
    "S10": card_moves.move,
    "S11": starting.start,
    "S12": billing.judge_billing,
    "S15": statements.count,
    "S16": bank_day.judge_bank_day,
    "S17": taking_over.judge_taking_over,
    "flat": neighbours.flat,
    "visits": telemetry.take_in,
}

# The goals that judge every page of the matrix of screens, from one measurement.
PAGES = ("S7", "S9")
