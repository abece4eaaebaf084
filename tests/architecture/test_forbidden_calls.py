"""Time, randomness, the environment and raw SQL are met in the foundation alone."""

from collections import Counter

import pytest

from tests.architecture.forbidden_calls import (
    ATTRIBUTES_ROUND_THE_WALL,
    CLOCK_OF_THE_MACHINE,
    METHODS_ROUND_THE_WALL,
    ROUND_THE_WALL,
    SESSIONS,
    TIME_AND_CHANCE,
    attributes,
    calls,
    calls_without_arguments,
    method_calls,
    uses,
)
from tests.architecture.source_tree import Source, listed, python_sources

# The only exits from a workspace, by file: before any workspace is known (a key, the first start),
# or for work that belongs to all of them. Think twice before adding a line.
EXITS: dict[str, int] = {
    "pms/access/workspace_openings.py": 1,
    "pms/jobs/workspace_export.py": 1,
    "pms/surfaces/command_line/run.py": 1,
    "pms/surfaces/first_visits.py": 1,
    "pms/access/sessions.py": 2,
    "pms/demo/sample.py": 4,
    "pms/demo/seed_demo.py": 4,
    "pms/demo/seed_measuring.py": 2,
    "pms/demo/people.py": 1,
    "pms/jobs/runs.py": 1,
    "pms/jobs/bank_verdicts.py": 1,
    "pms/jobs/kept_figures.py": 1,
    "pms/jobs/daily_jobs.py": 1,
    "pms/jobs/readings.py": 3,
    "pms/jobs/worker.py": 9,
    "pms/jobs/mailboxes.py": 1,
    "pms/jobs/resealing.py": 3,
    "pms/jobs/outbox.py": 3,
    "pms/jobs/notice_mails.py": 1,
    "pms/jobs/provider_calls.py": 1,
    "pms/surfaces/command_line/workspace_access.py": 1,
    "pms/surfaces/command_line/demo.py": 5,
    "pms/surfaces/command_line/imports.py": 1,
    "pms/surfaces/command_line/keys.py": 3,
    "pms/surfaces/command_line/jobs.py": 2,
    "pms/surfaces/command_line/people.py": 5,
    "pms/surfaces/request_scope.py": 1,
    "pms/surfaces/signed_in.py": 2,
}
# A bare connection has no session wall: who may hold one, and so writes its own conditions.
# The demo writes several workspaces and their keys in one transaction.
TAKES_A_CONNECTION_FROM_A_SESSION = {"pms/demo/seed_demo.py"}
HOLDERS_OF_A_CONNECTION = {
    "pms/access/key_lookup.py",
    "pms/access/sessions.py",
    "pms/catalogue/photos.py",
    "pms/channels/kept_events.py",
    "pms/surfaces/request_scope.py",
    "pms/workspaces/webhook_addresses.py",
}
# Who opens a process makes its clock; from there it is handed on. All commands share one place, which
# tests give a clock of their own.
MAKERS_OF_A_CLOCK = {
    "app.py",
    "pms/jobs/worker.py",
    "pms/surfaces/command_line/workspace_access.py",
}
EXIT_NAMES = (
    "across_workspaces_reading",
    "across_workspaces_writing",
    "write_across_workspaces",
    "note_across_workspaces",
    "connection_across_workspaces",
    "ask_across_workspaces",
    "session_on",
)


@pytest.fixture(scope="module")
def program() -> list[Source]:
    """The modules outside the foundation, each read and parsed once."""
    ground = ("pms/foundation/",)
    sources = [*python_sources("pms/"), *python_sources("app.py"), *python_sources("wsgi.py")]
    return [source for source in sources if not source.path.startswith(ground)]


def test_time_randomness_and_the_environment_are_arguments_outside_the_foundation(
    program: list[Source],
) -> None:
    assert not listed([f for source in program for f in uses(source, TIME_AND_CHANCE)])


def test_nothing_outside_the_foundation_writes_sql_text_or_opens_connections(
    program: list[Source],
) -> None:
    assert not listed([f for source in program for f in uses(source, ROUND_THE_WALL)])
    assert not listed([f for source in program for f in calls(source, SESSIONS)])


def test_nothing_outside_the_foundation_reaches_round_the_wall_of_the_workspace(
    program: list[Source],
) -> None:
    found = [f for source in program for f in attributes(source, ATTRIBUTES_ROUND_THE_WALL)]
    assert not listed(found)
    called = [f for source in program for f in method_calls(source, METHODS_ROUND_THE_WALL)]
    assert {finding.path for finding in called} == TAKES_A_CONNECTION_FROM_A_SESSION


def test_every_exit_from_a_workspace_is_counted_and_listed(program: list[Source]) -> None:
    exits = dict.fromkeys(EXIT_NAMES, "")
    found = Counter(f.path for source in program for f in attributes(source, exits))
    assert dict(found) == EXITS


def test_the_clock_of_the_machine_is_made_once_in_a_process_and_for_all_commands_in_one_place(
    program: list[Source],
) -> None:
    made = Counter(f.path for source in program for f in calls(source, CLOCK_OF_THE_MACHINE))
    assert made == dict.fromkeys(MAKERS_OF_A_CLOCK, 1)


def test_commands_in_tests_run_where_a_clock_is_asked_for() -> None:
    runners = {
        "click.testing.CliRunner": "run it by tests.commands.run_command, which takes a clock"
    }
    sources = [one for one in python_sources("tests/") if one.path != "tests/commands.py"]
    assert not listed([f for source in sources for f in calls(source, runners)])
    bare = {"pms.surfaces.command_line.main": "give it the clock of the test"}
    in_process = (f for source in sources for f in calls_without_arguments(source, bare))
    assert not listed(list(in_process))


def test_everyone_who_holds_a_bare_connection_is_listed(program: list[Source]) -> None:
    bare = {"sqlalchemy.Connection": "", "sqlalchemy.engine.Connection": ""}
    found = {f.path for source in program for f in uses(source, bare)}
    assert found == HOLDERS_OF_A_CONNECTION


@pytest.mark.parametrize(
    "planted",
    [
        "from datetime import date\ndate.today()",
        "from datetime import datetime as d\nd.now()",
        "import datetime\ndatetime.datetime.utcnow()",
        "import datetime as dt\ndt.date.today()",
        "import time\ntime.time()",
        "from time import time",
        "import os\nos.environ['A']",
        "from os import environ",
        "import os\nos.getenv('A')",
        "import random",
        "from random import choice",
        "import secrets as s",
        "from uuid import uuid4",
    ],
)
def test_a_planted_use_of_time_or_randomness_is_found(planted: str) -> None:
    assert list(uses(Source("pms/rules/days.py", planted), TIME_AND_CHANCE))


@pytest.mark.parametrize(
    "planted",
    [
        "from sqlalchemy import text",
        "import sqlalchemy as sa\nsa.text('SELECT 1')",
        "import sqlite3",
    ],
)
def test_a_planted_way_round_the_wall_is_found(planted: str) -> None:
    assert list(uses(Source("pms/catalogue/slugs.py", planted), ROUND_THE_WALL))


@pytest.mark.parametrize(
    "planted",
    [
        "from sqlalchemy.orm import Session\nSession(engine)",
        "from sqlalchemy import orm\norm.sessionmaker(engine)",
        "import sqlalchemy.orm\nsqlalchemy.orm.Session(engine)",
    ],
)
def test_a_planted_session_of_ones_own_is_found(planted: str) -> None:
    assert list(calls(Source("pms/catalogue/slugs.py", planted), SESSIONS))


def test_a_session_may_be_named_in_an_annotation() -> None:
    named = "from sqlalchemy.orm import Session\ndef f(session: Session) -> None: ..."
    assert not list(calls(Source("pms/catalogue/slugs.py", named), SESSIONS))


@pytest.mark.parametrize("planted", ["Unit.__table__", "session.bulk_save_objects([])"])
def test_a_planted_attribute_round_the_wall_is_found(planted: str) -> None:
    assert list(attributes(Source("pms/catalogue/slugs.py", planted), ATTRIBUTES_ROUND_THE_WALL))


def test_a_planted_bare_connection_of_a_session_is_found() -> None:
    planted = Source("pms/catalogue/slugs.py", "session.connection().execute(statement)")
    assert list(method_calls(planted, METHODS_ROUND_THE_WALL))


def test_a_planted_clock_of_the_machine_is_found() -> None:
    planted = "from pms.foundation import clock\nclock.SystemClock().today()"
    source = Source("pms/surfaces/command_line/bank.py", planted)
    assert list(calls(source, CLOCK_OF_THE_MACHINE))


def test_harmless_uses_are_left_alone() -> None:
    harmless = (
        "import time\nimport os\nfrom datetime import date, datetime\nfrom sqlalchemy import Text\n"
        "time.monotonic(); os.path.join('a'); date(2026, 1, 1); clock.now(); clock.today()\n"
        "datetime.fromisoformat('2026-01-01'); settings.environ"
    )
    source = Source("pms/rules/days.py", harmless)
    assert not listed([*uses(source, TIME_AND_CHANCE), *uses(source, ROUND_THE_WALL)])
