"""The demo as its first start makes it: seeded once on each database, copied for every test."""

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from pms.catalogue.photo_sizes import SizedPhoto
from pms.demo.photographs import Album
from pms.demo.pictures.album import SCENES
from pms.demo.seed_demo import SeededWorkspace, seed_demo
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from tests.databases import postgresql_settings, settings_of_a_test
from tests.servers.postgresql import PostgreSQL

NOON = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
_SEEDED = f"pms_seeded_{os.getpid()}"
_numbers = count(1)


class SeededTemplate(NamedTuple):
    """A seeded database that nobody writes to, and what its seeding told."""

    place: str
    made: tuple[SeededWorkspace, ...]


@pytest.fixture(scope="session")
def album() -> Album:
    """Every scene by name, without its files: rows need the names alone."""
    files = {str(width): f"{width:064}.webp" for width in (400, 800, 1600)}
    return {name: SizedPhoto(1600, 1200, files) for name in SCENES}


@pytest.fixture
def clock() -> FixedClock:
    """Noon of the day on which the templates were seeded, until a test moves it."""
    return FixedClock(NOON)


@pytest.fixture
def today(clock: FixedClock) -> date:
    return clock.today()


@pytest.fixture(scope="session")
def seeded_sqlite(
    sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory, album: Album
) -> SeededTemplate:
    """A SQLite file with the demo in it."""
    settings = settings_of_a_test(tmp_path_factory.mktemp("seeded"))
    place = settings.data_dir / "pms.sqlite3"
    shutil.copy(sqlite_template, place)
    return SeededTemplate(str(place), _seeded(settings, album))


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
    yield SeededTemplate(_SEEDED, _seeded(settings, album))
    postgresql.drop_database(_SEEDED)


def _seeded(settings: Settings, album: Album) -> tuple[SeededWorkspace, ...]:
    database, clock = Database(settings), FixedClock(NOON)
    made = seed_demo(database, Files(settings), clock.today(), clock, album=album)
    database.dispose()
    return made


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings over a fresh database: seeded when the test asks for the seeded demo."""
    is_seeded = "seeded" in request.fixturenames
    if request.param == "sqlite":
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
    """What the seeding of the test's database told."""
    template = "seeded_sqlite" if settings.is_sqlite else "seeded_postgresql"
    found: SeededTemplate = request.getfixturevalue(template)
    return found.made
