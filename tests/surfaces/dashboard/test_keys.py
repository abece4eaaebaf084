"""The operator gives machines their keys; nobody else does."""

import re

from flask.testing import FlaskClient

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
