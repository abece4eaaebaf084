"""A workspace opens with its policy and first fees, under a slug of its own."""

import json

import pytest
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, Refused
from pms.rules.policy import DEFAULT_POLICY
from pms.workspaces.models import Fee
from pms.workspaces.queries import all_workspaces, open_workspace, policy
from tests.commands import run_command

pytestmark = pytest.mark.differs("constraints")


def opened(database: Database, clock: FixedClock, slug: str = "midori") -> str:
    with database.across_workspaces_writing() as session:
        return open_workspace(session, clock, slug=slug, name="みどり")


def test_a_new_workspace_has_the_default_policy_and_the_first_fees(
    database: Database, clock: FixedClock
) -> None:
    workspace_id = opened(database, clock)
    with database.reading(workspace_id) as session:
        assert policy(session) == DEFAULT_POLICY
        codes = session.scalars(select(Fee.code).order_by(Fee.code)).all()
        assert codes == ["building_maintenance", "utilities"]


def test_a_taken_slug_is_a_collision_and_opens_nothing(
    database: Database, clock: FixedClock
) -> None:
    opened(database, clock)
    with pytest.raises(Collision, match="'midori' is already the name"):
        opened(database, clock)
    with database.across_workspaces_reading() as session:
        assert len(all_workspaces(session)) == 1


@pytest.mark.parametrize("slug", ["", "x", "みどり", "1st", "a b", "a/b", "-a", "a-", "a" * 41])
def test_a_slug_that_cannot_stand_in_an_address_is_refused(
    database: Database, clock: FixedClock, slug: str
) -> None:
    with pytest.raises(Refused, match="slug"):
        opened(database, clock, slug)


def test_the_command_opens_and_lists(database: Database, clock: FixedClock) -> None:
    lines = ["workspaces", "open", "midori", "--name", "みどり"]
    run = run_command(lines, clock, database.settings)
    assert run.exit_code == 0, run.output
    listed = run_command(["workspaces", "list", "--json"], clock, database.settings)
    (row,) = json.loads(listed.output)
    assert (row["slug"], row["opened"]) == ("midori", "2026-11-20T03:00:00Z")
