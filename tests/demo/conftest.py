"""The demo as its first start makes it: seeded once on each database, copied for every test."""

import os
import shutil
from collections.abc import Iterator
from datetime import date
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from pms.catalogue.photo_sizes import SizedPhoto
from pms.demo.rows import SCENES, Album
from pms.demo.seed_demo import SeededWorkspace
from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from tests.databases import postgresql_settings, settings_of_a_test
from tests.demo.seeding import NOON, seeded_demo
from tests.demo.seeding import seeded as seed
from tests.servers.postgresql import PostgreSQL

_FILES = {str(width): f"{width:064}.webp" for width in (400, 800, 1600)}
ALBUM: Album = {name: SizedPhoto(1600, 1200, _FILES) for name in SCENES}
"""Every scene by name, without its files: rows need the names alone."""
_SEEDED = f"pms_seeded_{os.getpid()}"
_numbers = count(1)


class SeededTemplate(NamedTuple):
    """A seeded database that nobody writes to, and what its seeding returned."""

    place: str
    made: tuple[SeededWorkspace, ...]


@pytest.fixture(scope="session")
def album() -> Album:
    """Every scene by name, without its files."""
    return ALBUM


@pytest.fixture
def clock() -> FixedClock:
    """Noon of the day on which the templates were seeded, until a test moves it."""
    return FixedClock(NOON)


@pytest.fixture
def today(clock: FixedClock) -> date:
    return clock.today()


@pytest.fixture(scope="session")
def seeded_sqlite(
    sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> SeededTemplate:
    """An SQLite file with the demo in it."""
    demo = seeded_demo(tmp_path_factory, sqlite_template)
    return SeededTemplate(str(demo.folder / "pms.sqlite3"), demo.made)


@pytest.fixture(scope="session")
def seeded_postgresql(
    postgresql: PostgreSQL,
    postgresql_template: str,
    tmp_path_factory: pytest.TempPathFactory,
    album: Album,
) -> Iterator[SeededTemplate]:
    """A PostgreSQL database with the demo in it."""
    postgresql.drop_database(_SEEDED)
    postgresql.make_database(_SEEDED, postgresql_template)
    settings = postgresql_settings(tmp_path_factory.mktemp("seeded"), postgresql, _SEEDED)
    yield SeededTemplate(_SEEDED, seed(settings, album))
    postgresql.drop_database(_SEEDED)


@pytest.fixture
def settings(
    request: pytest.FixtureRequest, database_kind: str, tmp_path: Path
) -> Iterator[Settings]:
    """Settings over a fresh database: seeded when the test asks for the seeded demo."""
    is_seeded = "seeded" in request.fixturenames
    if database_kind == "sqlite":
        template = "seeded_sqlite" if is_seeded else "sqlite_template"
        shutil.copy(_place(request, template), tmp_path / "pms.sqlite3")
        yield settings_of_a_test(tmp_path)
        return
    server: PostgreSQL = request.getfixturevalue("postgresql")
    name = f"pms_demo_{os.getpid()}_{next(_numbers)}"
    template = "seeded_postgresql" if is_seeded else "postgresql_template"
    server.drop_database(name)
    server.make_database(name, _place(request, template))
    yield postgresql_settings(tmp_path, server, name)
    server.drop_database(name)


def _place(request: pytest.FixtureRequest, template: str) -> str:
    found = request.getfixturevalue(template)
    return found.place if isinstance(found, SeededTemplate) else str(found)


@pytest.fixture
def seeded(request: pytest.FixtureRequest, settings: Settings) -> tuple[SeededWorkspace, ...]:
    """What the seeding of the test's database returned."""
    template = "seeded_sqlite" if settings.is_sqlite else "seeded_postgresql"
    found: SeededTemplate = request.getfixturevalue(template)
    return found.made
