"""Every page of the matrix with the figures it is judged by, on both databases at three sizes."""

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Final

from tests.bench.matrix import TIMES, Asked, Cost, Demo, Page, PageFailedError, asked
from tests.bench.rounds import Figure, Spread
from tests.servers.postgresql import PostgreSQL

_CPU_MS: Final = (30, 15)
_RATIOS: Final = {False: {10: (1.2, 1.05), 100: (1.3, 1.05)}, True: {10: (1.5, 1.2), 100: (3, 1.5)}}
_FIRST_RATIO: Final = (3, 1.5)
_FIRST_SECONDS: Final = (1, 0.3)
_STATEMENTS: Final = (25, 15)
_KILOBYTES: Final = (150, 100)
_NEARLY: Final = 1.5
_OF_TIME: Final = ("S7", "S8", "S9")
_OF: Final = {False: "what shows one thing", True: "what shows many"}
_HEADINGS: Final = (
    *("page", "shows", "database", "CPU ms", "× 10", "× 100"),
    *("first ×", "first at × 100, s", "statements", "KB at × 100"),
)


@dataclass
class PageLine:
    """A page on one database with what each size costs, and the figures it is judged by."""

    page: Page
    kind: str
    costs: Mapping[int, list[Cost]] = field(default_factory=lambda: {n: [] for n in TIMES})

    def add(self, costs: Mapping[int, Sequence[Cost]]) -> None:
        """Add what another round has measured."""
        for times, found in costs.items():
            self.costs[times] += found

    def figures(self) -> Iterator[Figure]:
        """Return the figures of the goals, in the order of the table's columns."""
        if self.is_failed:
            yield Figure("S7", "could not be opened", None, note=f"{self.page.name}, {self.kind}")
            return
        cost = {times: Cost.median_of(found) for times, found in self.costs.items()}
        one, last = cost[1], cost[TIMES[-1]]
        yield self._figure("S7", "CPU at the demo's size", one.later_ms, _CPU_MS, "ms")
        for times in TIMES[1:]:
            ratio = cost[times].later_ms / one.later_ms
            limits = _RATIOS[self.page.shows_many][times]
            what = f"{_OF[self.page.shows_many]}, {times} times the workspace"
            yield self._figure("S8", what, ratio, limits)
        first = one.first_ms / one.later_ms
        yield self._figure("S9", "first visit in a worker against a later", first, _FIRST_RATIO)
        what = f"first visit at {TIMES[-1]} times the workspace"
        yield self._figure("S9", what, last.first_ms / 1_000, _FIRST_SECONDS, "s")
        most = max(each.statements for each in cost.values())
        yield self._figure("S15", "statements of a page", most, _STATEMENTS, "")
        what = f"HTML at {TIMES[-1]} times the workspace"
        yield self._figure("S19", what, last.html / 1_024, _KILOBYTES, "KB")

    def _figure(
        self, goal: str, what: str, value: float, limits: tuple[float, float], unit: str = "x"
    ) -> Figure:
        return Figure(
            goal,
            what,
            Spread(value, value, value),
            *limits,
            unit,
            note=f"{self.page.name}, {self.kind}",
        )

    @property
    def is_failed(self) -> bool:
        """Whether the page did not answer."""
        return not all(self.costs.values())

    @property
    def is_missed(self) -> bool:
        return self.is_failed or any(figure.verdict == "MISSED" for figure in self.figures())

    @property
    def is_nearly_kept(self) -> bool:
        """Whether a goal is missed by so little that more rounds may decide otherwise."""
        return any(
            figure.verdict == "MISSED" and figure.keeps((figure.must or 0) * _NEARLY)
            for figure in self.figures()
            if figure.goal in _OF_TIME
        )

    def cells(self) -> tuple[str, ...]:
        """Return the line of the table, what is missed in bold."""
        cells = []
        for figure in self.figures():
            cell = f"{figure.measured.median:.3g}" if figure.measured else f"**{figure.what}**"
            cells.append(f"**{cell}**" if figure.verdict == "MISSED" else cell)
        return self.page.name, "many" if self.page.shows_many else "one", self.kind, *cells


def page_table(lines: Sequence[PageLine]) -> str:
    """Return every page on every database as one table, those that miss a goal first."""
    ordered = sorted(lines, key=lambda line: (not line.is_missed, line.page.name, line.kind))
    cells = [_HEADINGS, ("---",) * len(_HEADINGS), *(line.cells() for line in ordered)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def measure_lines(
    folder: Path, server: PostgreSQL | None, rounds: int, named: Collection[str] = ()
) -> Sequence[PageLine]:
    """Measure all pages, or those named, on each database there is.

    One that nearly keeps a goal is measured again.
    """
    with redirect_stdout(StringIO()):  # the log
        demo = Demo(folder)
    pages = [page for page in demo.pages if not named or page.name in named]
    lines: list[PageLine] = []
    for kind, at in {"sqlite": None, "postgresql": server}.items():
        if kind == "sqlite" or at is not None:
            print(f"{kind} …", file=sys.stderr, flush=True)
            with asked({times: demo.grown(times, at) for times in TIMES}) as programs:
                lines += [_measured_line(programs, page, kind, rounds) for page in pages]
    return lines


def _measured_line(programs: Asked, page: Page, kind: str, rounds: int) -> PageLine:
    line = PageLine(page, kind)
    with suppress(PageFailedError):
        line.add(programs.costs(page, rounds))
        if line.is_nearly_kept:
            line.add(programs.costs(page, 2 * rounds))
    return line
