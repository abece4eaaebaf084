"""Pages of other origins may write with the key they carry, and read what they are answered."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.enumerations import Scope
from tests.cast import Cast
from tests.surfaces.agent_api.asking import ROOT, Asker, asker
from tests.surfaces.agent_api.bodies import ENQUIRY, SOUND

SITE = {"Origin": "https://www.sumida.example.jp"}
BEFORE = {
    **SITE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
}
TOLD = {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After", "X-Request-Id"}


def is_readable(answer: TestResponse) -> bool:
    """Whether a page of another origin gets to see the answer; never with cookies."""
    headers = answer.headers
    assert "Access-Control-Allow-Credentials" not in headers
    exposed = set(headers.get("Access-Control-Expose-Headers", "").split(", "))
    assert (headers.get("Access-Control-Allow-Origin") == "*") == (exposed >= TOLD)
    return headers.get("Access-Control-Allow-Origin") == "*"


@pytest.mark.parametrize("path", SOUND)
def test_what_a_browser_asks_before_it_sends_is_answered_without_a_key(
    client: FlaskClient, path: str
) -> None:
    answer = client.options(ROOT + path, headers=BEFORE)
    assert (answer.status_code, answer.data) == (204, b"")
    assert is_readable(answer)
    assert answer.headers["Access-Control-Allow-Methods"] == "POST"
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert {"authorization", "content-type", "idempotency-key"} <= set(allowed)
    assert answer.headers["X-Request-Id"]
    assert not [name for name, _ in answer.headers if name.startswith("RateLimit")]


def test_asking_before_sending_costs_the_key_nothing(
    client: FlaskClient, database: Database, clock: FixedClock, cast: Cast
) -> None:
    one = asker(
        client,
        database,
        clock,
        cast.sumida.workspace_id,
        frozenset({Scope.INQUIRIES_WRITE}),
        budget=1,
    )
    for _ in range(5):
        assert client.options(f"{ROOT}/inquiries", headers=BEFORE).status_code == 204
    assert one.post("/inquiries", ENQUIRY, headers=SITE).status_code == 201


def test_every_answer_of_an_address_that_is_written_to_can_be_read(
    client: FlaskClient, database: Database, clock: FixedClock, cast: Cast, website: Asker
) -> None:
    reader = asker(
        client, database, clock, cast.sumida.workspace_id, frozenset({Scope.CONTENT_READ})
    )
    spent = asker(client, database, clock, cast.sumida.workspace_id, budget=1)
    spent.post("/inquiries", ENQUIRY)
    known = {**ENQUIRY, "externalId": "1"}
    website.created("/inquiries", known)
    answers = [
        client.post(f"{ROOT}/inquiries", json=ENQUIRY, headers=SITE),
        spent.post("/inquiries", ENQUIRY, headers=SITE),
        reader.post("/inquiries", ENQUIRY, headers=SITE),
        website.post("/inquiries", {}, headers=SITE),
        website.post("/inquiries", b"x" * (2 * 1024 * 1024), headers=SITE),
        website.post("/inquiries", ENQUIRY, headers={**SITE, "Content-Type": "text/plain"}),
        website.post("/inquiries", {**ENQUIRY, "unitId": "0" * 32}, headers=SITE),
        website.client.get(f"{ROOT}/inquiries", headers={**website.header, **SITE}),
        website.post("/inquiries", known, headers=SITE),
        website.post("/inquiries", ENQUIRY, headers=SITE),
    ]
    statuses = [401, 429, 403, 400, 413, 415, 404, 405, 409, 201]
    assert [answer.status_code for answer in answers] == statuses
    assert all(is_readable(answer) for answer in answers)


def test_a_failure_inside_can_be_read_too(
    app: Flask, website: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("the disk is gone")

    monkeypatch.setitem(app.view_functions, "agent_api.submit_inquiry", broken)
    answer = website.post("/inquiries", ENQUIRY, headers=SITE)
    assert answer.status_code == 500
    assert is_readable(answer)


def test_without_an_origin_nothing_is_said_of_origins(website: Asker) -> None:
    answer = website.post("/inquiries", ENQUIRY)
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


def test_what_is_only_read_stays_with_its_own_origin(
    client: FlaskClient, website: Asker, cast: Cast
) -> None:
    for path in ("/properties", "/site/config", "/nowhere"):
        assert client.options(ROOT + path, headers=BEFORE).status_code == 401
        assert not is_readable(website.get(path, headers=SITE))


def test_options_without_what_a_browser_adds_is_asked_for_its_key(
    client: FlaskClient, website: Asker
) -> None:
    for headers in ({}, SITE, {"Access-Control-Request-Method": "POST"}):
        assert client.options(f"{ROOT}/inquiries", headers=headers).status_code == 401
    answer = client.options(f"{ROOT}/inquiries", headers=website.header)
    assert answer.status_code == 200
    assert "POST" in answer.headers["Allow"]
