"""Language and theme: what was chosen wins, is remembered, and keeps the page."""

import re

import pytest
from flask.testing import FlaskClient

from tests.surfaces.manual.pages_app import make_pages_app


def language_of(html: str) -> str:
    return str(re.findall(r'<html lang="(\w+)"', html)[0])


def theme_of(html: str) -> str:
    return str(re.findall(r'data-theme="(\w+)"', html)[0])


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        (None, "en"),
        ("ja", "ja"),
        ("ja-JP,ja;q=0.9,en;q=0.8", "ja"),
        ("en-GB,ja;q=0.9", "en"),
        ("fr,ja;q=0.5", "ja"),
        ("fr", "en"),
        ("*", "en"),
        (";;;", "en"),
    ],
)
def test_without_a_choice_the_browser_decides(
    accepted: str | None, language: str, reader: FlaskClient
) -> None:
    headers = {"Accept-Language": accepted} if accepted else {}
    assert language_of(reader.get("/manual/limits", headers=headers).text) == language


def test_a_choice_wins_over_the_browser_and_is_remembered(reader: FlaskClient) -> None:
    english = {"Accept-Language": "en"}
    assert language_of(reader.get("/?lang=ja", headers=english).text) == "ja"
    assert language_of(reader.get("/manual/", headers=english).text) == "ja"
    assert language_of(reader.get("/manual/?lang=en").text) == "en"
    assert language_of(reader.get("/").text) == "en"


@pytest.mark.parametrize("wrong", ["fr", "", "JA", "../ja", "%00"])
def test_a_language_nobody_offers_is_ignored(wrong: str, reader: FlaskClient) -> None:
    answer = reader.get(f"/manual/?lang={wrong}")
    assert language_of(answer.text) == "en"
    assert "Set-Cookie" not in answer.headers


def test_the_cookie_is_kept_from_scripts_and_from_plain_connections() -> None:
    reader = make_pages_app(PMS_BASE_URL="https://pms.example.jp").test_client()
    cookie = reader.get("/?lang=ja").headers["Set-Cookie"]
    assert {"HttpOnly", "Secure", "SameSite=Lax"} <= set(cookie.split("; "))


@pytest.mark.parametrize("path", ["/", "/manual/", "/manual/api/properties", "/nothing/here"])
def test_the_other_language_is_one_link_away_on_the_same_page(
    path: str, reader: FlaskClient
) -> None:
    html = reader.get(path).text
    assert f'<a href="{path}?lang=ja" lang="ja" hreflang="ja" rel="alternate">日本語</a>' in html
    assert language_of(reader.get(f"{path}?lang=ja").text) == "ja"


def test_the_switch_keeps_what_was_asked(reader: FlaskClient) -> None:
    html = reader.get("/manual/search?q=a+%26+b&lang=en").text
    assert 'href="/manual/search?q=a+%26+b&amp;lang=ja"' in html


def test_the_switch_never_leads_to_another_host(reader: FlaskClient) -> None:
    html = reader.get("//evil.example/x").text
    assert 'href="//' not in html


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_a_theme_is_remembered(theme: str, reader: FlaskClient) -> None:
    assert theme_of(reader.get(f"/manual/limits?theme={theme}").text) == theme
    assert theme_of(reader.get("/manual/limits").text) == theme


def test_without_a_choice_the_device_decides_the_theme(reader: FlaskClient) -> None:
    assert theme_of(reader.get("/").text) == "auto"
    assert theme_of(reader.get("/?theme=pink").text) == "auto"
