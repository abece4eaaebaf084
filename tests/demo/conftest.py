"""Pictures for the demo, drawn once for all tests."""

from collections.abc import Iterator
from datetime import date

import pytest

from pms.catalogue.photo_sizes import SizedPhoto
from pms.demo.photographs import Album
from pms.demo.pictures.album import SCENES
from pms.demo.seed_demo import SeededWorkspace, seed_demo
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files


@pytest.fixture(scope="session")
def album() -> Album:
    """Every scene by name, without its files: rows need the names alone."""
    files = {str(width): f"{width:064}.webp" for width in (400, 800, 1600)}
    return {name: SizedPhoto(1600, 1200, files) for name in SCENES}


@pytest.fixture
def today(clock: FixedClock) -> date:
    return clock.today()


@pytest.fixture
def seeded(
    database: Database, clock: FixedClock, album: Album
) -> Iterator[tuple[SeededWorkspace, ...]]:
    """The demo as its first start makes it."""
    files = Files(database.settings)
    yield seed_demo(database, files, clock.today(), clock, album=album)
