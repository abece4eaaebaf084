"""One seeded program and one browser for the whole matrix."""

from collections.abc import Iterator

import pytest

from tests.screens.visiting import Looker
from tests.screens.world import World, made_world
from tests.surfaces.manual.browser import opened_browser, served


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The three workspaces."""
    with made_world(tmp_path_factory.mktemp("world")) as made:
        yield made


@pytest.fixture(scope="module")
def looker(world: World) -> Iterator[Looker]:
    """A browser without a window at the running program."""
    with served(world.app) as base, opened_browser() as browser:
        yield Looker(browser, base, world)
