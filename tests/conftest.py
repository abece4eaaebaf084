"""Fixtures every test may ask for."""

import gc
import sys
from collections.abc import Generator, Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient

from pms.foundation import kept_figures
from pms.foundation.clock import Clock, FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from tests.cases.stage import Stage
from tests.databases import (
    FAILED,
    cast,
    database,
    database_kind,
    postgresql_database,
    postgresql_template,
    postgresql_url,
    reused,
    reused_postgresql,
    reused_sqlite,
    settings,
    sqlite_template,
    staff,
)
from tests.once import shared_folder
from tests.programs import CompiledTemplates, forget_database, make_app
from tests.servers.fixtures import postgresql, valkey, valkey_url
from tests.surfaces.manual.browser import BROWSER, browser, browser_of_tests

pytest_plugins = ["tests.tiers"]

__all__ = [
    "browser",
    "browser_of_tests",
    "cast",
    "database",
    "database_kind",
    "postgresql",
    "postgresql_database",
    "postgresql_template",
    "postgresql_url",
    "reused_postgresql",
    "reused_sqlite",
    "settings",
    "sqlite_template",
    "staff",
    "valkey",
    "valkey_url",
]


# The servers of tests answer in threads: what they log belongs in no test's captured output.
structlog.configure(logger_factory=structlog.PrintLoggerFactory(file=sys.__stderr__))


class TestsClock:
    """The clock of an application that many tests use: that of the test which runs."""

    __test__ = False

    def __init__(self) -> None:
        self.clock: Clock = FixedClock(datetime(2026, 11, 20, 3, 0, tzinfo=UTC))

    def now(self) -> datetime:
        return self.clock.now()

    def today(self) -> date:
        return self.clock.today()


_APPS: dict[Settings, tuple[Flask, TestsClock]] = {}


@pytest.fixture(scope="session", autouse=True)
def no_figure_takes_long() -> Iterator[None]:
    """On a busy machine any figure may take long, and be stored for the next who asks."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kept_figures, "LONG_SECONDS", float("inf"))
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile each template once in a run, whichever of its processes needs it first."""
    folder = shared_folder(tmp_path_factory) / "templates"
    folder.mkdir(exist_ok=True)
    CompiledTemplates.folder = folder


@pytest.fixture
def clock() -> FixedClock:
    """Noon of 20 November 2026 in Japan, until a test moves it."""
    return FixedClock(datetime(2026, 11, 20, 3, 0, tzinfo=UTC))


@pytest.fixture
def app(settings: Settings, clock: FixedClock) -> Iterator[Flask]:
    """The whole program over the database of the test.

    A process makes one for each kind of database. Who changes it puts it back.
    """
    opened = reused(settings)
    if opened is None:
        made = make_app(settings, clock)
        yield made
        made.extensions["pms.database"].dispose()
        return
    if settings not in _APPS:
        moved = TestsClock()
        _APPS[settings] = make_app(settings, moved, opened.database), moved
        # What is loaded by now stays: no collection needs to walk through it again.
        gc.collect()
        gc.freeze()
        # A test leaves little behind: looking for garbage less often is a twentieth of the time.
        gc.set_threshold(20_000, 20, 100)
    kept, moved = _APPS[settings]
    moved.clock = clock
    forget_database(kept)
    yield kept


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Someone who asks the program."""
    return app.test_client()


@pytest.fixture
def stage(
    request: pytest.FixtureRequest,
    settings: Settings,
    database: Database,
    clock: FixedClock,
    tmp_path: Path,
) -> Stage:
    """What a worked case is run on."""
    return Stage(settings, database, clock, tmp_path, lambda: request.getfixturevalue("client"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    if "browser_of_tests" not in getattr(item, "fixturenames", ()):
        return (yield)
    with BROWSER.killed_when_stuck():
        return (yield)
