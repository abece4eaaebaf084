"""Cookies and form tokens: each is judged anew at every request, and by this site's own seal."""

import re
from dataclasses import replace
from datetime import timedelta
from time import time

import pytest
from flask import Flask
from itsdangerous import URLSafeTimedSerializer

from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser

_TOO_OLD = timedelta(days=7, seconds=5)


def test_a_token_that_was_good_is_refused_in_another_session(
    operator: Browser, app: Flask, clock: FixedClock, staff: Staff, cast: Cast
) -> None:
    assert _saved(operator, operator.form_token) == 422
    other = open_browser(app, clock, staff.office_id, cast.sumida.slug)
    with other.client.session_transaction() as cookie:
        cookie["csrf_token"] = "f" * 64
    assert _saved(other, operator.form_token) == 400


def test_an_altered_token_is_refused_though_its_original_was_good(operator: Browser) -> None:
    assert _saved(operator, operator.form_token) == 422
    for altered in (operator.form_token[:-1], f"{operator.form_token}A", ""):
        assert _saved(operator, altered) == 400


def test_a_good_token_does_not_excuse_a_form_of_another_site(operator: Browser) -> None:
    path = f"{operator.home}/tasks"
    fields = {"csrf_token": operator.form_token}
    for site, status in (("https://localhost/", 422), ("https://evil.example/", 400), (None, 400)):
        sent = {"Referer": site} if site else {}
        answer = operator.client.post(
            path, data=fields, headers=sent, environ_overrides={"wsgi.url_scheme": "https"}
        )
        assert answer.status_code == status, site


def test_forms_of_an_answer_carry_a_token_that_is_good(operator: Browser) -> None:
    answer = operator.post("/tasks", {})
    carried = set(re.findall(r'name="csrf_token" value="([^"]+)"', answer.text))
    assert len(carried) == 1
    assert _saved(operator, carried.pop()) == 422


def test_a_cookie_grows_old_though_it_was_met_before(
    operator: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert operator.get("/work").status_code == 200
    later = time() + _TOO_OLD.total_seconds()
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: later)
    assert operator.get("/work").location.startswith("/sign-in")


def test_a_cookie_sealed_by_another_secret_opens_nothing(operator: Browser) -> None:
    assert operator.get("/work").status_code == 200
    forged = URLSafeTimedSerializer("another secret", salt="cookie-session").dumps({"a": "b"})
    operator.client.set_cookie("session", str(forged))
    assert operator.get("/work").location.startswith("/sign-in")


def test_what_one_request_takes_from_its_session_is_there_for_another_with_the_same_cookie(
    operator: Browser,
) -> None:
    with operator.client.session_transaction() as cookie:
        cookie["_flashes"] = [("message", "Once only.")]
    kept = operator.client.get_cookie("session")
    assert kept is not None
    for _ in range(2):
        operator.client.set_cookie("session", kept.value)
        assert "Once only." in operator.get("/work").text


def _saved(browser: Browser, token: str) -> int:
    """Send an empty form, which its view refuses (422) once the gate let it pass."""
    return browser.client.post(f"{browser.home}/tasks", data={"csrf_token": token}).status_code


OTHER_SITES = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)


@pytest.mark.parametrize("headers", OTHER_SITES)
def test_a_good_token_does_not_excuse_another_origin(
    operator: Browser, headers: dict[str, str]
) -> None:
    fields = {"csrf_token": operator.form_token}
    path = f"{operator.home}/tasks"
    assert operator.client.post(path, data=fields, headers=headers).status_code == 400
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert operator.client.post(path, data=fields, headers=own).status_code == 422


def test_over_https_only_this_very_host_may_set_its_cookies(settings: Settings) -> None:
    from app import create_app

    served = create_app(replace(settings, base_url="https://localhost"))
    with served.test_client() as client:
        answer = client.get("/sign-in", base_url="https://localhost")
        (cookie,) = (c for c in answer.headers.getlist("Set-Cookie") if "session" in c)
    served.extensions["pms.database"].dispose()
    assert cookie.startswith("__Host-session=")
    assert "Secure" in cookie
    assert "Path=/" in cookie
    assert "Domain=" not in cookie
