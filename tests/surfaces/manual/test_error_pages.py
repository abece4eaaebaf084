"""Errors: a page that helps for people, one field for programs, headers on both."""

from urllib.robotparser import RobotFileParser

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient

from tests.surfaces.manual.pages_app import make_pages_app


@pytest.fixture(scope="module")
def failing_app() -> Flask:
    """The public pages beside addresses that fail in every way."""
    pages_app = make_pages_app()

    def fail(status: int) -> str:
        if status == 500:
            raise RuntimeError("a secret detail")
        abort(status)

    pages_app.testing = False
    pages_app.add_url_rule("/fail/<int:status>", "fail", fail)
    pages_app.add_url_rule("/api/fail/<int:status>", "api_fail", fail)
    return pages_app


@pytest.fixture
def failing(failing_app: Flask) -> FlaskClient:
    """Someone who asks for what fails."""
    return failing_app.test_client()


@pytest.mark.parametrize("status", [400, 403, 404, 405, 413, 415, 429, 500, 503])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_person_gets_a_page_with_a_way_out(
    status: int, language: str, failing: FlaskClient
) -> None:
    answer = failing.get(f"/fail/{status}", headers={"Accept-Language": language})
    assert answer.status_code == status
    assert answer.mimetype == "text/html"
    assert answer.text.count("<h1>") == 1
    assert 'href="/"' in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    title = answer.text.partition("<title>")[2]
    assert title.startswith("Error:" if language == "en" else "エラー：")


def test_a_failure_never_tells_its_cause(failing: FlaskClient) -> None:
    for path in ("/fail/500", "/api/fail/500"):
        assert "secret" not in failing.get(path).text


@pytest.mark.parametrize("status", [400, 403, 404, 405, 413, 415, 500])
def test_a_program_gets_one_field(status: int, failing: FlaskClient) -> None:
    answer = failing.get(f"/api/fail/{status}")
    assert answer.status_code == status
    assert list(answer.get_json()) == ["error"]


def test_an_address_below_api_that_is_not_there_is_told_to_a_program(reader: FlaskClient) -> None:
    answer = reader.get("/api/nothing")
    assert answer.status_code == 404
    assert list(answer.get_json()) == ["error"]


def test_a_wrong_method_names_the_right_ones(reader: FlaskClient) -> None:
    answer = reader.post("/manual/")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize("path", ["/", "/manual/", "/manual/limits", "/manual/search", "/nothing"])
def test_a_page_is_guarded_by_its_headers(path: str, reader: FlaskClient) -> None:
    headers = reader.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert {"camera=()", "geolocation=()", "microphone=()", "payment=()"} <= set(
        headers["Permissions-Policy"].split(", ")
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"PMS_BASE_URL": "https://pms.example.jp"}, "max-age=63072000; includeSubDomains"),
        (
            {"PMS_BASE_URL": "https://pms.example.jp", "PMS_HSTS_SUBDOMAINS": "no"},
            "max-age=63072000",
        ),
        ({"PMS_BASE_URL": "http://localhost:8000"}, None),
    ],
)
def test_browsers_are_told_to_use_https_where_it_is_there(
    given: dict[str, str], expected: str | None
) -> None:
    answer = make_pages_app(**given).test_client().get("/robots.txt")
    assert answer.headers.get("Strict-Transport-Security") == expected


def test_search_engines_read_the_manual_and_no_page_of_a_person(reader: FlaskClient) -> None:
    answer = reader.get("/robots.txt")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    rules = RobotFileParser()
    rules.parse(answer.text.replace("Allow: /$\n", "").splitlines())
    for path, is_open in {
        "/manual/limits": True,
        "/photos/sumida/0/400.webp": True,
        "/dashboard/sumida/": False,
        "/reserve/token": False,
        "/check-in/token": False,
        "/resident/sumida/": False,
    }.items():
        assert rules.can_fetch("Googlebot", path) is is_open


@pytest.mark.parametrize("path", ["/llms.txt", "/manual/limits.md", "/api/nothing"])
def test_data_may_load_nothing_at_all(path: str, reader: FlaskClient) -> None:
    headers = reader.get(path).headers
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/manual/", "/manual/api/properties", "/manual/search"])
def test_no_page_holds_what_the_policy_forbids(path: str, reader: FlaskClient) -> None:
    html = reader.get(path).text
    assert " style=" not in html
    assert "<style" not in html
    assert " onclick" not in html
    assert html.count("<script") == html.count("<script src=")
