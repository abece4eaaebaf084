"""S7, S8, S9, S15 and S19: every page of the matrix of screens, each goal by its worst page."""

from collections.abc import Iterable
from dataclasses import replace

from tests.bench.rounds import Figure, Spread, spread
from tests.bench.serving import question
from tests.bench.stage import Stage, cpu_of


def judge_pages(stage: Stage) -> Iterable[Figure]:
    """CPU, growth, statements and HTML; a bare route tells how quick the machine is meanwhile."""
    bare = cpu_of(stage.hello, question("/"), stage.requests)
    costs = spread([bare() * 1_000 for _ in range(stage.rounds)])
    yield Figure("S7", "a bare route, for comparison", costs, unit="ms")
    yield from _worst_figures(stage, {"S7", "S8", "S15", "S19"})


def judge_first_visits(stage: Stage) -> Iterable[Figure]:
    """The first visit of a page in a new worker."""
    return _worst_figures(stage, {"S9"})


def _worst_figures(stage: Stage, goals: set[str]) -> Iterable[Figure]:
    found: dict[tuple[str, str, str], list[Figure]] = {}
    for line in stage.page_lines:
        for figure in line.figures():
            if figure.goal in goals:
                found.setdefault((figure.goal, figure.what, line.kind), []).append(figure)
    for figures in found.values():
        missed = sum(figure.verdict == "MISSED" for figure in figures)
        worst = max(figures, key=lambda one: one.measured or Spread(0, 0, 0))
        yield replace(worst, note=f"{worst.note}; missed by {missed} of {len(figures)} pages")
