"""The three storages, each on its real server, under a clock the test moves."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from pms.foundation.budget import open_storage
from pms.foundation.budget.rolling_window import BudgetResult, RollingWindowStorage
from pms.foundation.settings import Settings
from tests.servers.postgresql import OWNER, PostgreSQL
from tests.servers.valkey import Valkey

HOUR = 3600
SECOND = 1_000_000
START_US = 1_780_000_000 * SECOND
KINDS = ("files", "postgresql", "valkey")


@dataclass
class Moved:
    """An instant that only the test changes."""

    us: int = START_US

    def __call__(self) -> int:
        return self.us


@dataclass
class Bench:
    """One storage, one clock."""

    storage: RollingWindowStorage
    clock: Moved
    settings: Settings

    def at(self, seconds: float) -> None:
        """Move to this many seconds after the start."""
        self.clock.us = START_US + round(seconds * SECOND)

    def spend(self, bucket: str, limit: int, times: int = 1) -> BudgetResult:
        """Make requests and return the answer to the last."""
        spent = [self.storage.spend(bucket, limit, HOUR) for _ in range(times)]
        return spent[-1]


def settings_with(data_dir: Path, **given: str) -> Settings:
    environ = {f"PMS_{name}": value for name, value in given.items()}
    return Settings.from_environment({"PMS_DATA_DIR": str(data_dir), **environ})


@pytest.fixture(scope="session")
def budget_database(postgresql: PostgreSQL) -> Iterator[str]:
    """A database whose owner the program is, so that the storage makes its own table."""
    name = f"pms_budget_{os.getpid()}"
    postgresql.drop_database(name)
    postgresql.make_database(name)
    yield postgresql.url(name, OWNER)
    postgresql.drop_database(name)


@pytest.fixture(scope="session", params=KINDS)
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings that choose each storage in turn."""
    return settings_of_kind(request.param, request, tmp_path_factory.mktemp("budget"))


def settings_of_kind(kind: str, request: pytest.FixtureRequest, folder: Path) -> Settings:
    if kind == "postgresql":
        database_url: str = request.getfixturevalue("budget_database")
        return settings_with(folder, DATABASE_URL=database_url)
    if kind == "valkey":
        valkey: Valkey = request.getfixturevalue("valkey")
        return settings_with(folder, REDIS_URL=valkey.url)
    return settings_with(folder)


@pytest.fixture(scope="session")
def storage(settings: Settings) -> Iterator[RollingWindowStorage]:
    opened = open_storage(settings)
    yield opened
    opened.close()


@pytest.fixture
def bench(storage: RollingWindowStorage, settings: Settings) -> Bench:
    clock = Moved()
    storage.now_us = clock
    return Bench(storage, clock, settings)


@pytest.fixture
def bucket(new_bucket: Callable[[], str]) -> str:
    return new_bucket()


@pytest.fixture(scope="session")
def new_bucket() -> Callable[[], str]:
    """Names buckets nobody used before, because the storages live as long as the session."""
    numbers = count(1)
    return lambda: f"key/{os.getpid()}-{next(numbers)}"
