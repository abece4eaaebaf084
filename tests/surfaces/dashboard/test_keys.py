"""The operator gives machines their keys; nobody else does."""

import html
import json
import re
import shlex

import pytest
from flask import Flask
from flask.testing import FlaskClient

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools
from pms.jobs.worker import record_key_calls
from pms.surfaces.dashboard import keys as lines_to_try
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.manual.asking import BASE, read_curl

_KEY = re.compile(r"pms_live_\w+")
_LINE = re.compile(r'<code id="try-\w+">(.*?)</code>', re.DOTALL)


def test_a_key_is_shown_once_and_works(operator: Browser, client: FlaskClient) -> None:
    made = operator.post("/keys", {"purpose": "read", "name": "Website", "budget": "300"})
    assert made.status_code == 201
    plaintext = _KEY.findall(made.text)[0]
    asked = client.get("/api/agent/properties", headers={"Authorization": f"Bearer {plaintext}"})
    assert asked.status_code == 200
    assert plaintext not in operator.get("/keys").text


def test_residents_may_not_be_read_by_a_key_in_public_pages(operator: Browser) -> None:
    answer = operator.post(
        "/keys?lang=en",
        {
            "purpose": "chosen",
            "scopes": "residents:read",
            "isPublic": "y",
            "name": "Site",
            "budget": "300",
        },
    )
    assert answer.status_code == 422
    assert "residents:read" in answer.text
    assert "Site" in answer.text


def test_a_revoked_key_is_refused_at_once(operator: Browser, client: FlaskClient) -> None:
    made = operator.post("/keys", {"purpose": "read", "name": "Website", "budget": "300"})
    plaintext = _KEY.findall(made.text)[0]
    key_id = re.findall(r"/keys/([0-9a-f]{32})", operator.get("/keys").text)[0]
    assert operator.get(f"/keys/{key_id}/revocation").status_code == 200
    assert operator.post(f"/keys/{key_id}/revocation").status_code == 303
    asked = client.get("/api/agent/properties", headers={"Authorization": f"Bearer {plaintext}"})
    assert asked.status_code == 401


def test_the_office_has_no_keys(office: Browser, cast: Cast) -> None:
    assert office.get("/keys").status_code == 403
    assert office.post("/keys", {"purpose": "read", "name": "x", "budget": "1"}).status_code == 403


def test_the_last_calls_of_a_key_are_shown_also_once_it_is_revoked(
    operator: Browser,
    client: FlaskClient,
    settings: Settings,
    database: Database,
    clock: FixedClock,
) -> None:
    made = operator.post("/keys", {"purpose": "read", "name": "Website", "budget": "300"})
    headers = {"Authorization": f"Bearer {_KEY.findall(made.text)[0]}"}
    key_id = re.findall(r"/keys/([0-9a-f]{32})", operator.get("/keys").text)[0]
    assert "They appear here within a minute or two" in operator.get(f"/keys/{key_id}?lang=en").text
    client.get("/api/agent/properties?limit=3", headers=headers)
    client.get("/api/agent/residents", headers=headers)
    client.get("/api/agent/nowhere", headers=headers)
    record_key_calls(Tools(settings, database, clock, choose_postbox(settings)))
    operator.post(f"/keys/{key_id}/revocation")
    shown = operator.get(f"/keys/{key_id}?lang=en").text
    assert "403, refused" in shown
    assert "200, refused" not in shown
    assert "/api/agent/properties" in shown
    assert "unknown address" in shown
    assert "limit=3" not in shown
    assert "nowhere" not in shown


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize(
    ("purpose", "answered"),
    [
        ("read", ("/api/agent/properties?limit=200", 200)),
        ("actions", ("/api/agent/inquiries", 201)),
        ("telemetry", ("/api/agent/analytics", 202)),
    ],
)
def test_each_key_of_a_website_comes_with_a_line_that_works(
    operator: Browser, client: FlaskClient, purpose: str, answered: tuple[str, int], language: str
) -> None:
    typed = {"purpose": purpose, "name": "Website", "budget": "300"}
    made = operator.post(f"/keys?lang={language}", typed)
    (line,) = _LINE.findall(made.text)
    asked = read_curl(html.unescape(line).replace(client.application.config["BASE_URL"], BASE), {})
    answer = client.open(asked.address, method=asked.method, headers=asked.headers, data=asked.body)
    assert (asked.address, answer.status_code) == answered


def test_a_key_for_several_things_has_a_line_for_each(operator: Browser) -> None:
    scopes = ["properties:read", "inquiries:write", "analytics:write", "purchases:write"]
    made = operator.post(
        "/keys", {"purpose": "chosen", "scopes": scopes, "name": "Website", "budget": "300"}
    )
    assert len(_LINE.findall(made.text)) == 3
    alone = operator.post(
        "/keys", {"purpose": "chosen", "scopes": scopes[3:], "name": "Supplier", "budget": "300"}
    )
    assert (alone.status_code, _LINE.findall(alone.text)) == (201, [])


def test_a_quote_in_a_text_does_not_end_it_for_the_shell(
    monkeypatch: pytest.MonkeyPatch, app: Flask
) -> None:
    monkeypatch.setattr(lines_to_try, "_", lambda text: f"{text}: it's $(echo) `echo`")
    with app.test_request_context("/?lang=en"):
        (line,) = lines_to_try.lines_to_try(["inquiries:write"], "pms_live_1", BASE)
    body = json.loads(shlex.split(line.command.replace("\\\n", ""))[6])
    assert body["name"].endswith(": it's $(echo) `echo`")


def test_the_pages_of_keys_open_the_manual_at_keys(operator: Browser) -> None:
    made = operator.post("/keys", {"purpose": "read", "name": "Website", "budget": "300"})
    key_id = re.findall(r"/keys/([0-9a-f]{32})", operator.get("/keys").text)[0]
    paths = ("/keys", "/keys/new", f"/keys/{key_id}", f"/keys/{key_id}/revocation")
    for page in (made, *map(operator.get, paths)):
        assert 'href="/manual/keys' in page.text
        assert 'href="/manual/office-day' not in page.text


def test_a_line_to_try_is_broken_so_that_no_word_of_it_is_cut(app: Flask) -> None:
    with app.test_request_context("/?lang=en"):
        (line,) = lines_to_try.lines_to_try(["analytics:write"], "pms_live_1", BASE)
    rows = line.command.split("\n")
    assert [row.strip()[:2] for row in rows] == ["cu", "-H", "-H", "-d", f'"{BASE[0]}']
    assert all(row.endswith(" \\") for row in rows[:-1]), "the shell reads them as one line"


def test_the_websites_of_a_key_are_entered_listed_and_removed(
    operator: Browser, client: FlaskClient
) -> None:
    typed = {"purpose": "read", "name": "Website", "budget": "300"}
    refused = operator.post("/keys?lang=en", {**typed, "origins": "https://example.jp/rooms"})
    assert refused.status_code == 422
    assert "https://example.jp&#39;" in refused.text
    websites = "https://example.jp\r\nhttps://www.example.jp\r\n"
    made = operator.post("/keys", {**typed, "origins": websites})
    headers = {"Authorization": f"Bearer {_KEY.findall(made.text)[0]}"}
    key_id = re.findall(r"/keys/([0-9a-f]{32})", operator.get("/keys").text)[0]

    def allowed(origin: str) -> str | None:
        sent = {**headers, "Origin": origin}
        answer = client.get("/api/agent/properties", headers=sent)
        return answer.headers.get("Access-Control-Allow-Origin")

    for origin in websites.split():
        assert origin in operator.get("/keys").text
        assert allowed(origin) == origin
    page = operator.get(f"/keys/{key_id}").text
    removal = re.findall(r"/(keys/[0-9a-f]{32}/origins/[0-9a-f]{32}/removal)", page)[0]
    assert operator.post(f"/{removal}").status_code == 303
    assert allowed("https://example.jp") is None
    again = {"origins": "https://example.jp"}
    assert operator.post(f"/keys/{key_id}/origins", again).status_code == 303
    assert allowed("https://example.jp") == "https://example.jp"
    assert operator.post(f"/keys/{key_id}/origins", again).status_code == 422


def test_a_key_that_reads_residents_offers_no_websites(operator: Browser) -> None:
    typed = {"purpose": "chosen", "scopes": "residents:read", "name": "Office", "budget": "300"}
    refused = operator.post("/keys?lang=en", {**typed, "origins": "https://example.jp"})
    assert refused.status_code == 422
    assert "residents:read is never used in a browser" in refused.text
    operator.post("/keys", typed)
    key_id = re.findall(r"/keys/([0-9a-f]{32})", operator.get("/keys").text)[0]
    page = operator.get(f"/keys/{key_id}?lang=en").text
    assert "never used in a browser, so it has no websites" in page
    assert f"/keys/{key_id}/origins" not in page
    added = operator.post(f"/keys/{key_id}/origins", {"origins": "https://example.jp"})
    assert added.status_code == 422
