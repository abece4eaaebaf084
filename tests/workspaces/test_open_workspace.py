"""A workspace opens with its policy and first fees, under a slug of its own."""

import json
import re

import pytest
from flask import Flask
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, Refused
from pms.rules.policy import DEFAULT_POLICY
from pms.workspaces.models import Fee
from pms.workspaces.new_workspaces import open_workspace
from pms.workspaces.queries import all_workspaces, policy
from pms.workspaces.slugs import RESERVED_SLUGS, free_workspace_slug
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


@pytest.mark.parametrize("slug", ["offline", "dashboard", "sign-in", "Photos"])
def test_a_slug_that_is_an_address_of_the_program_is_refused(
    database: Database, clock: FixedClock, slug: str
) -> None:
    with pytest.raises(Refused, match="is an address of this service"):
        opened(database, clock, slug)


def test_no_address_of_the_program_stands_where_a_slug_stands(app: Flask) -> None:
    words = {rule.rule.split("/")[1] for rule in app.url_map.iter_rules()}
    of_slugs = {
        rule.rule.partition("<workspace>")[0]
        for rule in app.url_map.iter_rules()
        if "<workspace>" in rule.rule
    }
    assert "/dashboard/" in of_slugs
    words |= {
        rule.rule.removeprefix(before).split("/")[0]
        for rule in app.url_map.iter_rules()
        for before in of_slugs
        if rule.rule.startswith(before)
    }
    possible = {word for word in words if re.fullmatch(r"[a-z][a-z0-9-]*[a-z0-9]", word)}
    assert possible <= RESERVED_SLUGS


def test_a_slug_that_is_proposed_is_no_address_of_the_program(database: Database) -> None:
    with database.across_workspaces_reading() as session:
        assert free_workspace_slug(session, ["owner", "offline"]) == "owner-2"


def test_the_command_opens_and_lists(database: Database, clock: FixedClock) -> None:
    lines = ["workspaces", "open", "midori", "--name", "みどり"]
    run = run_command(lines, clock, database.settings)
    assert run.exit_code == 0, run.output
    listed = run_command(["workspaces", "list", "--json"], clock, database.settings)
    (row,) = json.loads(listed.output)
    assert (row["slug"], row["opened"]) == ("midori", "2026-11-20T03:00:00Z")
