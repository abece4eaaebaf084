"""What every page of the matrix of screens costs, over the demo and over larger copies of it."""

import gc
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple, Self

from flask import Flask
from sqlalchemy import Engine, event

from app import create_app
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.surfaces.first_visits import open_connections, open_first_pages
from pms.surfaces.page_templates import KeptTemplates, compile_templates
from tests.databases import postgresql_settings, settings_of_a_test
from tests.demo.seeding import NOON, SeededDemo, plain_album, seeded
from tests.screens.grown import copy_database, grow_database
from tests.screens.screens import SCREENS
from tests.screens.visiting import addresses, has_reader, session_of, states_of
from tests.screens.world import LIVED_IN, make_world, opened_world
from tests.servers.postgresql import PostgreSQL

TIMES: Final = (1, 10, 100)
_LATER_VISITS: Final = 3
_MILLISECONDS: Final = 1_000


@dataclass(frozen=True)
class Page:
    """A page of the matrix, and the session of who opens it."""

    name: str
    path: str
    session: str | None
    shows_many: bool


class Cost(NamedTuple):
    """What a page costs in a new worker: CPU of its first visit and of a later one."""

    first_ms: float
    later_ms: float
    statements: int
    html: int

    @classmethod
    def median_of(cls, costs: Sequence["Cost"]) -> Self:
        """Return the median of each figure over several workers."""
        return cls(*(median(figures) for figures in zip(*costs, strict=True)))


class PageFailedError(Exception):
    """A page that does not answer 200; what it said was printed by its worker."""


class Demo:
    """The demo with the records that the pages need, and the pages."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        seeding, template, self._one = (folder / name for name in ("seeded", "template", "1"))
        settings = settings_of_a_test(seeding)
        migrate(settings)
        made = seeded(settings, plain_album(Files(settings)))
        template.mkdir()
        make_world(template, SeededDemo(seeding, made), addresses)
        with opened_world(self._one, template) as world:
            self._workspace_id = world.workspace_ids[LIVED_IN]
            self.pages = [
                Page(
                    screen.name,
                    world.addresses[f"{screen.name} normal"],
                    session_of(world, screen) if has_reader(screen) else None,
                    "long" in states_of(world, screen),
                )
                for screen in SCREENS
            ]
            world.app.jinja_env.bytecode_cache = KeptTemplates(world.settings)
            world.app.jinja_env.cache = {}
            compile_templates(world.app)

    def grown(self, times: int, server: PostgreSQL | None) -> Settings:
        """Return settings over a copy so many times as large, on a server or in a file."""
        folder = self._folder / f"{'sqlite' if server is None else 'postgresql'}-{times}"
        shutil.copytree(self._one, folder)
        settings = settings_of_a_test(folder)
        url: Any = settings.database_url
        if server is not None:
            name = f"pms_pages_{os.getpid()}_{times}"
            server.make_database(name)
            settings = postgresql_settings(folder, server, name)
            migrate(settings)
            of, url = url, server.superuser_url.set(database=name)
            copy_database(of, url)
        if times > 1:
            grow_database(url, self._workspace_id, times)
        database = Database(settings)
        database.refresh_statistics()
        database.dispose()
        return settings


class Asked:
    """One program for each size; each is asked in turn, so that all meet the same machine."""

    def __init__(self, programs: Mapping[int, ProcessPoolExecutor]) -> None:
        self._programs = programs

    def costs(self, page: Page, rounds: int) -> Mapping[int, Sequence[Cost]]:
        """Return what a page costs over each size, in a new worker each round.

        Another worker has opened it before, as in every installation that is not new.
        """
        for program in self._programs.values():
            program.submit(_cost_in_new_worker, page).result()
        found: dict[int, list[Cost]] = {times: [] for times in self._programs}
        for _ in range(rounds):
            for times, program in self._programs.items():
                found[times].append(program.submit(_cost_in_new_worker, page).result())
        return found


@contextmanager
def asked(settings: Mapping[int, Settings]) -> Iterator[Asked]:
    """Start the program over each size in a process of its own, as a server's first process."""
    with ExitStack() as opened:
        yield Asked(
            {
                times: opened.enter_context(
                    ProcessPoolExecutor(1, get_context("spawn"), _load_program, (one,))
                )
                for times, one in settings.items()
            }
        )


class _Served:
    app: Flask


def _load_program(settings: Settings) -> None:
    """Prepare what workers are forked from, as the server does (gunicorn_config.py)."""
    sys.stdout = StringIO()  # the log
    app = create_app(settings, clock=FixedClock(NOON))
    app.jinja_env.bytecode_cache = KeptTemplates(settings)
    open_first_pages(app)
    app.extensions["pms.database"].dispose()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    _Served.app = app


def _cost_in_new_worker(page: Page) -> Cost:
    receiver, sender = get_context("fork").Pipe(duplex=False)
    worker = get_context("fork").Process(target=lambda: sender.send(_measure_cost(page)))
    worker.start()
    sender.close()
    try:
        cost: Cost = receiver.recv()
    except EOFError:
        raise PageFailedError(page.name) from None
    finally:
        worker.join()
    return cost


def _measure_cost(page: Page) -> Cost:
    backends: list[int] = []
    statements: list[str] = []

    def note_backend(driver: Any, _record: Any) -> None:
        if hasattr(driver, "info"):
            backends.append(driver.info.backend_pid)
            # Where it would divide the work among several, no one process had all the time.
            driver.execute("SET max_parallel_workers_per_gather = 0")
            driver.commit()

    def note_statement(_c: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    event.listen(Engine, "connect", note_backend)
    open_connections(_Served.app)
    client = _Served.app.test_client()
    if page.session is not None:
        client.set_cookie("session", page.session)

    def visit() -> int:
        answer = client.get(page.path)
        assert answer.status_code == 200, f"{page.name}: {answer.status_code}"
        return len(answer.data)

    first = _milliseconds(visit, backends)
    later = median(_milliseconds(visit, backends) for _ in range(_LATER_VISITS))
    event.listen(Engine, "before_cursor_execute", note_statement)
    html = visit()
    asked_for = [one for one in statements if not one.lstrip().startswith("SET ")]
    return Cost(first, later, len(asked_for), html)


def _milliseconds(visit: Callable[[], object], backends: Sequence[int]) -> float:
    """Return the CPU of a visit, that of the database's own processes included."""
    began = time.process_time() + sum(map(_cpu_seconds, backends))
    visit()
    return (time.process_time() + sum(map(_cpu_seconds, backends)) - began) * _MILLISECONDS


def _cpu_seconds(process_id: int) -> float:
    # The clock that the system keeps for another process (clock_getcpuclockid).
    return time.clock_gettime(~process_id << 3 | 2)
