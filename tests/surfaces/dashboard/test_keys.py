"""The operator gives machines their keys; nobody else does."""

import re

from flask.testing import FlaskClient

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.jobs.postbox import choose_postbox
from pms.jobs.record_key_calls import record_key_calls
from pms.jobs.tools import Tools
from tests.cast import Cast
from tests.staff import Browser

_KEY = re.compile(r"pms_live_\w+")


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
    assert "None is known" in operator.get(f"/keys/{key_id}?lang=en").text
    client.get("/api/agent/properties?limit=3", headers=headers)
    client.get("/api/agent/residents", headers=headers)
    client.get("/api/agent/nowhere", headers=headers)
    record_key_calls(Tools(settings, database, clock, choose_postbox(settings)))
    operator.post(f"/keys/{key_id}/revocation")
    shown = operator.get(f"/keys/{key_id}?lang=en").text
    assert "403, refused" in shown
    assert "200, refused" not in shown
    assert "/api/agent/properties" in shown
    assert "an unknown address" in shown
    assert "limit=3" not in shown
    assert "nowhere" not in shown
