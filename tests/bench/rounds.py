"""Interleaved rounds of two sides, and what becomes of them: medians, spread, verdicts."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

WARM_UP_SECONDS = 1.0
Side = Callable[[], float]
"""Measures one round of one side and returns its cost."""


class Spread(NamedTuple):
    """A median with the least and the most that was seen."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Figure:
    """One line of the table. `None` as measured: it was not run, `note` says why."""

    goal: str
    what: str
    measured: Spread | None
    must: float | None = None
    stretch: float | None = None
    unit: str = "x"
    more_is_better: bool = False
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.measured is None:
            return "not run"
        if self.keeps(self.stretch):
            return "stretch"
        if self.must is None:
            return "no limit"
        return "must" if self.keeps(self.must) else "MISSED"

    @property
    def is_close(self) -> bool:
        """Missed by so little that another run decides: 5 % of a cost, 15 % of a rate."""
        if self.verdict != "MISSED" or self.measured is None or not self.must:
            return False
        return self.keeps(self.must * (0.85 if self.more_is_better else 1.05))

    def keeps(self, limit: float | None) -> bool:
        """Whether what was measured is within a limit."""
        if limit is None or self.measured is None:
            return False
        value = self.measured.median
        return value >= limit if self.more_is_better else value <= limit


def ratio(one: Side, other: Side, rounds: int) -> tuple[Spread, Spread, Spread]:
    """Return the ratio of the medians of two sides measured in turn, and both sides."""
    pairs = [(one(), other()) for _ in range(rounds)]
    ratios = [ours / theirs for ours, theirs in pairs]
    ours, theirs = (spread([pair[side] for pair in pairs]) for side in (0, 1))
    return Spread(ours.median / theirs.median, min(ratios), max(ratios)), ours, theirs


def spread(values: Sequence[float]) -> Spread:
    return Spread(median(values), min(values), max(values))


def warm_up(step: Callable[[], object], seconds: float = WARM_UP_SECONDS) -> None:
    """Repeat a step for a while before it counts."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        step()
