"""One seeded program and one browser for the whole matrix."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pms.foundation.settings import Settings
from tests.databases import ReusedDatabase
from tests.demo.seeding import seeded_demo
from tests.once import made_once
from tests.screens.visiting import Looker, addresses
from tests.screens.world import World, make_world, opened_world
from tests.surfaces.manual.browser import served


@pytest.fixture
def settings(reused_sqlite: ReusedDatabase) -> Settings:
    """An empty database of one kind: what is looked at here are pages."""
    reused_sqlite.restore("empty")
    return reused_sqlite.settings


@pytest.fixture(scope="session")
def world(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The three workspaces: made once for a run, copied for this process."""
    demo = seeded_demo(tmp_path_factory, sqlite_template)
    template = made_once(
        tmp_path_factory, "world", partial(make_world, demo=demo, addresses=addresses)
    )
    with opened_world(tmp_path_factory.mktemp("world"), template) as opened:
        yield opened


@pytest.fixture(scope="module")
def looker(world: World, browser: Browser) -> Iterator[Looker]:
    """A browser without a window at the running program.

    Its pages are closed with the module: a page that asks again each minute would write into the
    output of whatever test runs then.
    """
    with served(world.app) as base:
        looker = Looker(browser, base, world)
        yield looker
        looker.close()
