"""Each address takes exactly one scope, and the legacy key writes nothing at all."""

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from pms.access.keys import issue_key
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from tests.cast import Cast
from tests.surfaces.agent_api.asking import ROOT, Asker, addresses, asker, error_of
from tests.surfaces.agent_api.bodies import SOUND, rows

OTA = "/api/webhooks/ota-messages"
Keys = Callable[[Scope], Asker]


@pytest.fixture
def keys(client: FlaskClient, database: Database, clock: FixedClock, cast: Cast) -> Keys:
    return lambda scope: asker(
        client, database, clock, cast.sumida.workspace_id, frozenset({scope})
    )


def routes(app: Flask) -> dict[tuple[str, str], Scope]:
    """Method and path of every address that takes a key, with its scope."""
    found = {
        (address.method, ROOT + address.path.replace("<", "").replace(">", "")): address.scope
        for address in addresses(app)
    }
    if any(rule.rule == OTA for rule in app.url_map.iter_rules()):
        found["POST", OTA] = Scope.OTA_INGEST
    return found


@pytest.mark.parametrize("scope", Scope)
def test_a_key_of_one_scope_gets_past_the_gate_of_its_own_addresses_alone(
    app: Flask, client: FlaskClient, database: Database, keys: Keys, scope: Scope
) -> None:
    one = keys(scope)
    before = rows(database)
    for (method, path), needed in routes(app).items():
        answer = client.open(path, method=method, headers=one.header)
        if needed is scope:
            assert answer.status_code not in (401, 403), (scope, path, answer.text)
        else:
            assert answer.status_code == 403, (scope, path, answer.text)
            assert error_of(answer) == f"This key lacks the scope {needed}."
    assert rows(database) == before


def test_every_scope_opens_something(app: Flask) -> None:
    assert set(routes(app).values()) == set(Scope)


def test_a_key_that_lacks_the_scope_learns_nothing_of_its_body(keys: Keys) -> None:
    one = keys(Scope.CONTENT_READ)
    for body in (b"", b"{", b"x" * (2 * 1024 * 1024)):
        for path in SOUND:
            answer = one.post(path, body, headers={"Content-Type": "text/plain"})
            assert answer.status_code in (403, 404)


def test_the_legacy_key_writes_nothing_whatever_it_was_issued_with(
    client: FlaskClient, database: Database, clock: FixedClock, cast: Cast, app: Flask
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        legacy = issue_key(Work(session, clock, "staff"), name="old", scopes=[], is_legacy=True)
    old = Asker(client, legacy.plaintext)
    before = rows(database)
    for (method, path), needed in routes(app).items():
        if method == "POST":
            body = SOUND[path.removeprefix(ROOT)](cast.sumida) if path != OTA else {}
            answer = client.post(path, json=body, headers=old.header)
            assert answer.status_code == 403, path
            assert needed in error_of(answer)
    assert rows(database) == before


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_an_address_that_is_written_to_answers_no_other_method(
    app: Flask, keys: Keys, method: str
) -> None:
    for (of_route, path), scope in routes(app).items():
        if of_route == "POST":
            one = keys(scope)
            answer = one.client.open(path, method=method, headers=one.header)
            assert answer.status_code == 405, path
            assert "POST" in answer.headers["Allow"]
            error_of(answer)
