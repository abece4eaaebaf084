"""The demo workspaces in an SQLite file, seeded once for a run; who needs them copies them."""

import json
import shutil
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from pms.catalogue.photo_sizes import store_sizes
from pms.demo.rows import SCENES, Album
from pms.demo.seed_demo import SeededWorkspace, seed_demo
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from tests.databases import settings_of_a_test
from tests.once import made_once

NOON: Final = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
"""When the demo is seeded: noon of a day in Japan."""


@dataclass(frozen=True)
class SeededDemo:
    """A data folder with the demo in it that nobody writes to, and what its seeding returned."""

    folder: Path
    made: tuple[SeededWorkspace, ...]

    def copy_to(self, folder: Path) -> None:
        """Put the database and its files into the data folder of a test."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)


def seeded_demo(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> SeededDemo:
    """Return the demo of this run."""

    def make(folder: Path) -> None:
        shutil.copy(sqlite_template, folder)
        settings = settings_of_a_test(folder)
        made = seeded(settings, plain_album(Files(settings)))
        _made_in(folder).write_text(json.dumps([asdict(one) for one in made]))

    folder = made_once(tmp_path_factory, "demo", make)
    made = json.loads(_made_in(folder).read_text())
    return SeededDemo(folder, tuple(SeededWorkspace(**one) for one in made))


def seeded(settings: Settings, album: Album) -> tuple[SeededWorkspace, ...]:
    """Seed the demo into a migrated database."""
    database, clock = Database(settings), FixedClock(NOON)
    try:
        return seed_demo(database, Files(settings), clock.today(), clock, album=album)
    finally:
        database.dispose()


def plain_album(files: Files) -> Album:
    """Store one picture and return it under the name of every scene: to size all takes long."""
    picture = Image.linear_gradient("L").resize((1600, 1200)).convert("RGB")
    return dict.fromkeys(SCENES, store_sizes(picture, files))


def _made_in(folder: Path) -> Path:
    return folder / "made.json"
