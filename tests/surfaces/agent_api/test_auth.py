"""Who gets in, in which order that is checked, and what every answer says of the budget."""

from collections.abc import Callable
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import create_app
from pms.access.keys import issue_key, revoke_key
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.foundation.tokens import is_key, new_key
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from pms.rules.request_budget import Checks, status_of
from tests.cast import Cast
from tests.surfaces.agent_api.asking import PLENTY, ROOT, Asker, addresses, asker, error_of
from tests.surfaces.agent_api.worked_answers import status_for

BUDGET = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
Keys = Callable[..., Asker]


@pytest.fixture
def keys(client: FlaskClient, database: Database, clock: FixedClock, cast: Cast) -> Keys:
    def issued(*scopes: Scope, budget: int = PLENTY) -> Asker:
        workspace_id = cast.sumida.workspace_id
        return asker(client, database, clock, workspace_id, frozenset(scopes), budget=budget)

    return issued


def paths(app: Flask, cast: Cast) -> dict[str, str]:
    """Every address of the API that reads with our own records in it, by its view."""
    filled = {
        "show_property": cast.sumida.free_room_id,
        "show_resident": cast.sumida.resident_id,
        "show_unit": cast.sumida.free_room_slug,
        "show_building": cast.sumida.building_slug,
        "show_post": cast.sumida.post_slug,
    }
    return {
        address.view: address.path.split("<")[0] + filled.get(address.view, "")
        for address in addresses(app, ["GET"])
    }


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Basic dXNlcjpwYXNz",
        "bearer pms_live_x",
        "Bearer  a b",
        "Bearer \xe9\xff",
        "Token {key}",
        "{key}",
        "Bearer{key}",
        "Bearer {torn}",
        "Bearer {mistyped}",
        "Bearer {unknown}",
        "Bearer {key}, Bearer {key}",
        "Bearer {key} {key}",
        "Bearer\t{key}",
        "Bearer " + "x" * 100_000,
    ],
)
def test_without_a_whole_known_key_nobody_gets_in(
    client: FlaskClient, keys: Keys, header: str | None
) -> None:
    key = keys(Scope.PROPERTIES_READ).key
    torn, mistyped = key[:-1], key[:20] + ("a" if key[20] != "a" else "b") + key[21:]
    words = {"key": key, "torn": torn, "mistyped": mistyped, "unknown": new_key()}
    headers = {} if header is None else {"Authorization": header.format(**words)}
    for path in ("/properties", "/nothing/here", "/site/posts/x?locale=fr"):
        answer = client.get(ROOT + path, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert key not in error_of(answer)
        assert not set(BUDGET) & set(answer.headers)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer "])
def test_the_scheme_is_read_in_any_case(client: FlaskClient, keys: Keys, scheme: str) -> None:
    key = keys(Scope.CONTENT_READ).key
    headers = {"Authorization": f"{scheme} {key} "}
    assert client.get(f"{ROOT}/site/config", headers=headers).status_code == 200


def test_each_address_that_reads_takes_exactly_its_scope(
    app: Flask, cast: Cast, keys: Keys
) -> None:
    declared = {address.view: address.scope for address in addresses(app, ["GET"])}
    for scope in Scope:
        one = keys(scope)
        for view, path in paths(app, cast).items():
            answer = one.get(path)
            expected = 200 if declared[view] == scope else 403
            assert answer.status_code == expected, (scope, path)
            if expected == 403:
                assert declared[view] in error_of(answer)


def test_a_revocation_counts_on_the_next_request_in_every_process(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast, keys: Keys
) -> None:
    lost, other = keys(Scope.CONTENT_READ), keys(Scope.CONTENT_READ)
    elsewhere = create_app(settings, clock, Database(settings))
    there = Asker(elsewhere.test_client(), lost.key)
    try:
        assert lost.get("/site/config").status_code == 200
        assert there.get("/site/config").status_code == 200
        with database.writing(cast.sumida.workspace_id) as session:
            from pms.access.keys import keys_of_workspaces

            id_ = next(k.id for k in keys_of_workspaces(session) if k.hint[-4:] == lost.key[-4:])
            revoke_key(Work(session, clock, "staff"), id_)
        assert lost.get("/site/config").status_code == 401
        assert there.get("/site/config").status_code == 401
        assert other.get("/site/config").status_code == 200
    finally:
        elsewhere.extensions["pms.database"].dispose()


def test_the_legacy_key_is_denied_everything_but_listings_and_content(
    app: Flask, client: FlaskClient, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        legacy = issue_key(Work(session, clock, "staff"), name="old", scopes=[], is_legacy=True)
    old = Asker(client, legacy.plaintext)
    statuses = {path: old.get(path).status_code for path in paths(app, cast).values()}
    closed = {path for path, status in statuses.items() if status == 403}
    assert closed == {"/residents", f"/residents/{cast.sumida.resident_id}", "/showings"}
    assert set(statuses.values()) == {200, 403}


def test_whichever_checks_fail_the_first_one_speaks(cast: Cast, keys: Keys) -> None:
    for outcome in product((True, False), repeat=5):
        checks = Checks(*outcome)
        assert status_for(cast, keys, checks) == status_of(checks), checks


def test_every_answer_tells_the_budget_that_is_left(cast: Cast, keys: Keys) -> None:
    ask = keys(Scope.CONTENT_READ, budget=8)
    first = ask.get("/site/config")
    etag = {"If-None-Match": first.headers["ETag"]}
    answers: list[TestResponse] = [
        first,
        ask.get("/site/config", headers=etag),
        ask.get("/site/config", locale="fr"),
        ask.get("/properties"),
        ask.get("/site/posts/nothing"),
        ask.get("/nowhere"),
        ask.client.post(f"{ROOT}/site/config", headers=ask.header),
        ask.client.options(f"{ROOT}/site/config", headers=ask.header),
        ask.get("/site/config"),
        ask.get("/nowhere"),
    ]
    statuses = [200, 304, 400, 403, 404, 404, 405, 200, 429, 429]
    assert [answer.status_code for answer in answers] == statuses
    lines = [tuple(int(answer.headers[name]) for name in BUDGET) for answer in answers]
    assert lines == [(8, max(0, 7 - n), 3600) for n in range(10)]
    assert [("Retry-After" in answer.headers) for answer in answers] == [False] * 8 + [True] * 2
    assert answers[6].headers["Allow"]
    assert all(answer.headers["X-Request-Id"] for answer in answers)


def test_a_retry_pushes_the_reset_out_and_another_key_is_untouched(
    keys: Keys, clock: FixedClock
) -> None:
    greedy, modest = keys(Scope.CONTENT_READ, budget=2), keys(Scope.CONTENT_READ, budget=2)
    for _ in range(2):
        assert greedy.get("/site/config").status_code == 200
        clock.advance(timedelta(minutes=10))
    waits = []
    for _ in range(3):
        answer = greedy.get("/site/config")
        assert answer.status_code == 429
        waits.append(int(answer.headers["Retry-After"]))
        assert str(waits[-1]) in error_of(answer)
        clock.advance(timedelta(minutes=10))
    assert waits == [50 * 60] * 3  # each attempt pushed it ten minutes out
    assert modest.get("/site/config").headers["RateLimit-Remaining"] == "1"
    clock.advance(timedelta(seconds=waits[-1] - 601))
    assert greedy.get("/site/config").status_code == 429
    clock.advance(timedelta(hours=1))
    assert greedy.get("/site/config").status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_other_methods_are_refused_with_those_allowed(
    app: Flask, cast: Cast, keys: Keys, method: str
) -> None:
    ask = keys(Scope.CONTENT_READ)
    for path in paths(app, cast).values():
        answer = ask.client.open(ROOT + path, method=method, headers=ask.header)
        assert answer.status_code == 405, path
        assert "GET" in answer.headers["Allow"]
        error_of(answer)


def test_a_head_request_is_answered_without_a_body(cast: Cast, keys: Keys) -> None:
    ask = keys(Scope.CONTENT_READ)
    whole = ask.get("/site/config")
    head = ask.client.head(f"{ROOT}/site/config", headers=ask.header)
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == whole.headers["ETag"]
    assert head.headers["Content-Length"] == whole.headers["Content-Length"]


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/properties/",
        "//properties",
        "/site",
        "/site//units",
        "/properties/a/b",
        "/PROPERTIES",
    ],
)
def test_what_is_no_address_is_not_found(keys: Keys, path: str) -> None:
    ask = keys(Scope.PROPERTIES_READ)
    answer = ask.client.get(ROOT + path, headers=ask.header)
    assert answer.status_code == 404, path
    error_of(answer)


def test_a_failure_inside_is_one_error_field_too(
    app: Flask, client: FlaskClient, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = keys(Scope.CONTENT_READ)

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("the disk is gone")

    monkeypatch.setitem(app.view_functions, "agent_api.show_config", broken)
    answer = ask.get("/site/config")
    assert answer.status_code == 500
    assert "disk" not in error_of(answer)
    assert answer.headers["RateLimit-Limit"]
    assert is_key(ask.key)
