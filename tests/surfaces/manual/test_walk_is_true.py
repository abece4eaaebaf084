"""The life of a tenancy, walked at the command line, prints what its page prints."""

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.settings import Settings
from pms.surfaces.manual.rendering import Fence
from pms.workspaces.new_workspaces import open_workspace
from tests.cast import building, owner, unit
from tests.surfaces.manual.walking import Walker, commands_of, walk_of, without_ids

PAGE = "life-of-a-tenancy"


@pytest.fixture
def one_free_room(database: Database, clock: FixedClock) -> None:
    """The workspace `riverside` with the room `kawasemi-house-102`."""
    with database.across_workspaces_writing() as session:
        workspace_id = open_workspace(session, clock, slug="riverside", name="リバーサイド")
    owner_id, building_id = new_id(), new_id()
    with database.writing(workspace_id) as session:
        session.add(owner(id=owner_id))
        session.flush()
        session.add(building(id=building_id, name="カワセミ荘", owner_id=owner_id))
        session.flush()
        session.add(unit(building_id=building_id))


@pytest.mark.usefixtures("one_free_room")
def test_the_walk_prints_what_the_page_prints(
    settings: Settings, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    walker = Walker(settings, clock, monkeypatch)
    for fence in walk_of(PAGE):
        played = walker.played(fence)
        assert without_ids(played.strip()) == without_ids(fence.body.strip())


def test_the_walk_uses_every_step_of_a_tenancy() -> None:
    used = {" ".join(line.split()[:3]) for fence in walk_of(PAGE) for line in commands_of(fence)}
    assert used >= {
        "pms reservation book",
        "pms ledger pay",
        "pms billing preview",
        "pms billing run",
        "pms reservation price",
        "pms reservation notice",
        "pms deposit settle",
        "pms deposit refund",
        "pms ledger statement",
    }


def test_ids_are_the_only_thing_that_may_differ() -> None:
    fence = Fence("console", {}, "$ pms job list\n0123456789abcdef0123456789abcdef 93,000\n")
    assert without_ids(fence.body) == f"$ pms job list\n{'0' * 32} 93,000\n"
