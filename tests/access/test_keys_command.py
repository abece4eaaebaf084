"""`pms keys ...` issues, lists, revokes and replaces from a terminal."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from pms.access.key_lookup import find_key
from pms.foundation.budget import bucket_of, open_storage
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.settings import Settings
from pms.foundation.tokens import is_key
from tests.cast import Cast
from tests.commands import run_command

Pms = Callable[..., Result]


@pytest.fixture
def pms(settings: Settings, cast: Cast, clock: FixedClock) -> Pms:
    return lambda *words: run_command(["keys", *words], clock, settings)


def issued(pms: Pms, *words: str) -> Any:
    result = pms("issue", "--workspace", "sumida", "--name", "site", *words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def listed(pms: Pms, *words: str) -> Any:
    return json.loads(pms("list", "--json", *words).stdout)


def test_a_preset_is_issued_printed_once_and_works(pms: Pms, database: Database) -> None:
    made = issued(pms, "--preset", "read", "--public", "--budget", "12")
    with database.connection_across_workspaces() as connection:
        known = find_key(connection, made["key"])
    assert known is not None
    assert known.budget_per_hour == 12
    (row,) = listed(pms)
    assert row["scopes"] == ["content:read", "properties:read"]
    assert (row["workspace"], row["state"], row["public"]) == ("sumida", "live", True)
    assert (row["budget"], row["last_used"]) == (12, None)
    assert made["key"] not in json.dumps(row)
    assert row["hint"][:13] == made["key"][:13]


def test_a_person_gets_the_key_alone_on_the_output(pms: Pms) -> None:
    result = pms("issue", "--workspace", "sumida", "--name", "site", "--scope", "chat:invoke")
    assert is_key(result.stdout.strip())
    assert "not shown again" in result.stderr
    table = pms("list").stdout
    assert "chat:invoke" in table
    assert result.stdout.strip() not in table


def test_scopes_are_named_one_by_one(pms: Pms) -> None:
    issued(pms, "--scope", "inquiries:write", "--scope", "leads:write")
    assert listed(pms)[0]["scopes"] == ["inquiries:write", "leads:write"]


def test_the_legacy_key_and_workspaces_are_told_apart(pms: Pms) -> None:
    issued(pms, "--legacy")
    assert listed(pms, "--workspace", "sumida")[0]["state"] == "legacy"
    assert listed(pms, "--workspace", "minato") == []
    assert pms("list", "--workspace", "minato").stdout == "No keys yet.\n"


def test_the_last_use_comes_from_the_budget(pms: Pms, settings: Settings) -> None:
    made = issued(pms, "--preset", "telemetry")
    storage = open_storage(settings)
    storage.spend(bucket_of(made["id"]), 300, 3600)
    storage.close()
    assert listed(pms)[0]["last_used"] is not None


def test_a_key_is_replaced_and_revoked(pms: Pms, database: Database) -> None:
    old = issued(pms, "--preset", "actions")
    new = json.loads(pms("replace", old["id"], "--json").stdout)
    assert [row["state"] for row in listed(pms)] == ["live", "replaced"]
    assert pms("revoke", new["id"]).stdout == "The key 'site' is revoked.\n"
    with database.connection_across_workspaces() as connection:
        assert find_key(connection, old["key"]) is None
        assert find_key(connection, new["key"]) is None
    assert {row["state"] for row in listed(pms)} == {"revoked", "replaced"}
    with pytest.raises(Refused, match="already been revoked"):
        pms("revoke", new["id"])


@pytest.mark.parametrize(
    "words", [(), ("--preset", "read", "--scope", "chat:invoke"), ("--preset", "read", "--legacy")]
)
def test_what_a_key_may_do_is_said_in_one_way(pms: Pms, words: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match="one of --preset"):
        issued(pms, *words)


def test_an_unknown_workspace_or_key_is_told(pms: Pms) -> None:
    for words in (
        ("issue", "--workspace", "nowhere", "--name", "x", "--preset", "read"),
        ("list", "--workspace", "nowhere"),
        ("revoke", "nope"),
        ("replace", "0" * 32),
    ):
        with pytest.raises(NotFound):
            pms(*words)
