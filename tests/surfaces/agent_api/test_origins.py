"""Pages of the websites that a key names may call with it, and read what they are answered."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pms.access.key_origins import add_origin, origins_of_keys, remove_origin
from pms.access.keys import issue_key, revoke_key
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from tests.cast import Cast
from tests.surfaces.agent_api.asking import ROOT, Asker
from tests.surfaces.agent_api.bodies import ENQUIRY, SOUND

OWN, OTHER = "https://www.sumida.example.jp", "https://elsewhere.example.jp"
SITE = {"Origin": OWN}
BEFORE = {
    **SITE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,if-none-match",
}
TOLD = {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After", "X-Request-Id"}

pytestmark = pytest.mark.differs("walls")


def is_readable(answer: TestResponse, origin: str = OWN) -> bool:
    """Whether a page of an origin gets to see the answer; never with cookies."""
    headers = answer.headers
    assert "Access-Control-Allow-Credentials" not in headers
    assert "Origin" in headers["Vary"].split(", ")
    exposed = set(headers.get("Access-Control-Expose-Headers", "").split(", "))
    allowed = headers.get("Access-Control-Allow-Origin")
    assert (allowed is not None) == (exposed >= TOLD)
    return allowed == origin


class Keys:
    """Issues Sumida's keys with websites."""

    def __init__(
        self, client: FlaskClient, database: Database, clock: FixedClock, workspace_id: str
    ) -> None:
        self.client, self.database, self.clock = client, database, clock
        self.workspace_id = workspace_id

    def asker(self, *scopes: Scope, origins: tuple[str, ...] = (OWN,), budget: int = 300) -> Asker:
        with self.database.writing(self.workspace_id) as session:
            issued = issue_key(
                Work(session, self.clock, "staff"),
                name="Website",
                scopes=scopes or (Scope.PROPERTIES_READ, Scope.INQUIRIES_WRITE),
                origins=origins,
                budget_per_hour=budget,
            )
        self.key_id = issued.id
        return Asker(self.client, issued.plaintext)

    def work(self, act: object) -> None:
        with self.database.writing(self.workspace_id) as session:
            act(Work(session, self.clock, "staff"))  # type: ignore[operator]  # a use case


@pytest.fixture
def keys(client: FlaskClient, database: Database, clock: FixedClock, cast: Cast) -> Keys:
    return Keys(client, database, clock, cast.sumida.workspace_id)


@pytest.mark.parametrize("path", [*SOUND, "/properties", "/site/config", "/nowhere"])
def test_a_preflight_of_a_keys_website_is_answered_without_a_key(
    client: FlaskClient, keys: Keys, path: str
) -> None:
    keys.asker()
    answer = client.options(ROOT + path, headers=BEFORE)
    assert (answer.status_code, answer.data) == (204, b"")
    assert is_readable(answer)
    methods = answer.headers["Access-Control-Allow-Methods"].split(", ")
    assert {"GET", "POST"} <= set(methods)
    allowed = set(answer.headers["Access-Control-Allow-Headers"].lower().split(", "))
    assert set(BEFORE["Access-Control-Request-Headers"].split(",")) <= allowed
    assert answer.headers["X-Request-Id"]
    assert not [name for name, _ in answer.headers if name.startswith("RateLimit")]


@pytest.mark.parametrize(
    "origin",
    [
        OTHER,
        "null",
        "https://sumida.example.jp",
        "http://www.sumida.example.jp",
        "https://www.sumida.example.jp:8443",
        "https://www.sumida.example.jp.evil.example",
        "https://例え.jp",
        "x" * 10_000,
    ],
)
def test_a_preflight_of_another_website_is_answered_without_any_allowance(
    client: FlaskClient, keys: Keys, origin: str
) -> None:
    keys.asker()
    sent = {**BEFORE, "Origin": origin.encode().decode("latin-1")}
    for path in ("/properties", "/inquiries", "/nowhere"):
        answer = client.options(ROOT + path, headers=sent)
        assert (answer.status_code, answer.data) == (204, b"")
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
        assert answer.headers["Vary"] == "Origin"


def test_a_preflight_costs_the_key_nothing(keys: Keys) -> None:
    one = keys.asker(budget=1)
    for _ in range(5):
        assert one.client.options(f"{ROOT}/inquiries", headers=BEFORE).status_code == 204
    assert one.post("/inquiries", ENQUIRY, headers=SITE).status_code == 201
    assert one.client.options(f"{ROOT}/inquiries", headers=BEFORE).status_code == 204


def test_every_answer_can_be_read_by_the_keys_website(keys: Keys) -> None:
    reader, spent, website = keys.asker(Scope.CONTENT_READ), keys.asker(budget=1), keys.asker()
    spent.post("/inquiries", ENQUIRY)
    known = {**ENQUIRY, "externalId": "1"}
    website.created("/inquiries", known)
    listed = website.get("/properties", headers=SITE)
    answers = [
        website.client.post(f"{ROOT}/inquiries", json=ENQUIRY, headers=SITE),
        spent.post("/inquiries", ENQUIRY, headers=SITE),
        reader.post("/inquiries", ENQUIRY, headers=SITE),
        website.post("/inquiries", {}, headers=SITE),
        website.post("/inquiries", b"x" * (2 * 1024 * 1024), headers=SITE),
        website.post("/inquiries", ENQUIRY, headers={**SITE, "Content-Type": "text/plain"}),
        website.post("/inquiries", {**ENQUIRY, "unitId": "0" * 32}, headers=SITE),
        website.client.get(f"{ROOT}/inquiries", headers={**website.header, **SITE}),
        website.post("/inquiries", known, headers=SITE),
        website.post("/inquiries", ENQUIRY, headers=SITE),
        listed,
        website.get("/properties", headers={**SITE, "If-None-Match": listed.headers["ETag"]}),
        website.get("/nowhere", headers=SITE),
    ]
    statuses = [401, 429, 403, 400, 413, 415, 404, 405, 409, 201, 200, 304, 404]
    assert [answer.status_code for answer in answers] == statuses
    assert all(is_readable(answer) for answer in answers)


def test_a_failure_inside_can_be_read_too(
    app: Flask, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("the disk is gone")

    monkeypatch.setitem(app.view_functions, "agent_api.submit_inquiry", broken)
    answer = keys.asker().post("/inquiries", ENQUIRY, headers=SITE)
    assert answer.status_code == 500
    assert is_readable(answer)


def test_a_website_reads_only_what_its_own_keys_are_answered(keys: Keys) -> None:
    own, others = keys.asker(), keys.asker(origins=(OTHER,))
    server = keys.asker(origins=())
    assert is_readable(own.get("/properties", headers=SITE))
    for key in (others, server):
        answer = key.get("/properties", headers=SITE)
        assert answer.status_code == 200
        assert not is_readable(answer)
    assert is_readable(others.get("/properties", headers={"Origin": OTHER}), OTHER)


def test_without_an_origin_nothing_is_allowed_but_caches_know_that_it_matters(keys: Keys) -> None:
    website = keys.asker()
    for answer in (website.get("/properties"), website.post("/inquiries", ENQUIRY)):
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
        assert "Origin" in answer.headers["Vary"].split(", ")


def test_a_website_that_was_removed_and_one_of_a_revoked_key_can_no_longer_call(
    keys: Keys,
) -> None:
    website = keys.asker()
    keys.work(lambda work: add_origin(work, keys.key_id, OTHER, is_development=False))
    for origin in (OWN, OTHER):
        assert is_readable(website.get("/properties", headers={"Origin": origin}), origin)

    def remove_other(work: Work) -> None:
        (found,) = [
            one for one in origins_of_keys(work.session)[keys.key_id] if one.origin == OTHER
        ]
        remove_origin(work, keys.key_id, found.id)

    keys.work(remove_other)
    assert not is_readable(website.get("/properties", headers={"Origin": OTHER}), OTHER)
    assert is_readable(website.get("/properties", headers=SITE))
    keys.work(lambda work: revoke_key(work, keys.key_id))
    answer = website.get("/properties", headers=SITE)
    assert answer.status_code == 401
    assert not is_readable(answer)


def test_options_without_what_a_browser_adds_is_asked_for_its_key(keys: Keys) -> None:
    website = keys.asker()
    for headers in ({}, SITE, {"Access-Control-Request-Method": "POST"}):
        assert website.client.options(f"{ROOT}/inquiries", headers=headers).status_code == 401
    answer = website.client.options(f"{ROOT}/inquiries", headers=website.header)
    assert answer.status_code == 200
    assert "POST" in answer.headers["Allow"]


def test_only_the_api_of_keys_speaks_of_origins(client: FlaskClient, keys: Keys) -> None:
    keys.asker()
    for path in ("/api/webhooks/ota-messages", "/manual/", "/healthz"):
        answer = client.options(path, headers=BEFORE)
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
