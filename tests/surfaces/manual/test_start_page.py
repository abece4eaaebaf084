"""The start page is quiet: what this is, and the ways on."""

import re

import pytest
from flask.testing import FlaskClient


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_start_page_leads_to_the_sign_in_the_manual_the_first_request_and_the_address_book(
    language: str, reader: FlaskClient
) -> None:
    main = reader.get(f"/?lang={language}").text.partition("<main")[2].partition("</main")[0]
    ways = re.findall(r'class="link-row" href="([^"]+)"', main)
    manual = ["/manual/", "/manual/getting-started", "/manual/addresses"]
    assert ways == ["/sign-in", "/mail", *manual]
    for way in manual:
        assert reader.get(way).status_code == 200


def test_the_start_page_speaks_one_language_at_a_time(reader: FlaskClient) -> None:
    japanese = reader.get("/?lang=ja").text
    main = japanese.partition("<main")[2].partition("</main")[0]
    assert re.search("[ぁ-ん]", main)
    assert "Manual" not in main


def test_the_start_page_is_not_kept_by_others(reader: FlaskClient) -> None:
    answer = reader.get("/")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert {"Accept-Language", "Cookie"} <= set(answer.vary)
