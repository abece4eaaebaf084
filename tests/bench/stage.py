"""What the goals share in one run: the data, the servers over it, and how long to measure."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tests.bench.agreement import PROPERTIES, RESIDENTS
from tests.bench.data import Data, Measured
from tests.bench.page_lines import PageLine, measure_lines
from tests.bench.rounds import Side, warm_up
from tests.bench.serving import PRODUCT, Served, question
from tests.servers.absence import MissingServerError
from tests.servers.postgresql import PostgreSQL, start_postgresql

FLOOR, HELLO = "tests.bench.floor:serve()", "tests.bench.anchors:hello()"


@dataclass(frozen=True)
class Stage:
    """One run; its servers start when a goal first asks for them."""

    data: Data
    folder: Path
    rounds: int
    requests: int
    with_frameworks: bool
    is_quick: bool = False
    named_pages: Sequence[str] = ()
    opened: ExitStack = field(default_factory=ExitStack)

    @property
    def largest(self) -> Measured:
        return self.data.workspaces[0]

    @property
    def page(self) -> str:
        """Five of six units of the largest workspace, of 600 then 500."""
        return f"{PROPERTIES}?limit={self.largest.units * 5 // 6}"

    @property
    def catalogue(self) -> bytes:
        return question(self.page, self.largest.read_key)

    def residents(self, page: int = 1) -> bytes:
        return question(f"{RESIDENTS}?limit=50&page={page}", self.largest.residents_key)

    @cached_property
    def product(self) -> Served:
        return self.serve(PRODUCT, self.data)

    @cached_property
    def floor(self) -> Served:
        return self.serve(FLOOR, self.data)

    @cached_property
    def hello(self) -> Served:
        return self.opened.enter_context(Served(HELLO, self.data))

    @cached_property
    def postgresql(self) -> PostgreSQL | MissingServerError:
        """A PostgreSQL server, or what this machine lacks for one."""
        try:
            server = start_postgresql()
        except MissingServerError as absent:
            return absent
        self.opened.callback(server.stop)
        return server

    @property
    def has_measured_pages(self) -> bool:
        """Whether a goal has asked for the pages."""
        return "page_lines" in vars(self)

    @cached_property
    def page_lines(self) -> Sequence[PageLine]:
        """Every page of the matrix of screens, measured once for all goals that judge them."""
        folder = self.folder / "pages"
        folder.mkdir()
        server = None if isinstance(self.postgresql, MissingServerError) else self.postgresql
        rounds = 1 if self.is_quick else min(self.rounds, 3)
        return measure_lines(folder, server, rounds, self.named_pages)

    def serve(self, what: str, data: Data, workers: int = 1) -> Served:
        """Start a server that answers the catalogue."""
        served = Served(what, data, workers=workers, ready=self.catalogue)
        served = self.opened.enter_context(served)
        served.wait_until_compiled()
        return served


def cpu_of(served: Served, request: bytes, count: int, at_once: int = 4) -> Side:
    """Return the side that floods a server: CPU seconds for each answer."""
    warm_up(lambda: served.ask(request))

    def measure() -> float:
        began = served.cpu_seconds()
        served.flood(request, count, at_once)
        return (served.cpu_seconds() - began) / count

    return measure


def cold_cpu_of(served: Served, request: bytes, count: int, change: Callable[[], object]) -> Side:
    """Return the side that meets a change before each request: CPU seconds for each answer.

    The change is made in this process, so that its cost is not the server's.
    """

    def ask() -> None:
        change()
        served.ask(request)

    def measure() -> float:
        began = served.cpu_seconds()
        for _ in range(count):
            ask()
        return (served.cpu_seconds() - began) / count

    warm_up(ask)
    return measure


def rate_of(served: Served, request: bytes, count: int) -> Side:
    """Return the side that floods a server: answers for each second."""
    warm_up(lambda: served.ask(request), 0.2)
    return lambda: count / served.flood(request, count)
