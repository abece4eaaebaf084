"""Searching the manual finds words in both languages, whatever their width and kana."""

import re

import pytest
from flask.testing import FlaskClient

from pms.surfaces.manual.views import find


def places(html: str) -> list[str]:
    return re.findall(r'<li>\s*<a href="([^"]+)"', html.partition('class="search-found"')[2])


@pytest.mark.parametrize(
    ("question", "language", "page"),
    [
        ("Retry-After", "en", "limits"),
        ("retry after", "en", "limits"),
        ("ＭＯＮＴＨ to month", "en", "dates"),
        ("moveInBy", "en", "api/properties"),
        ("月単位の継続", "ja", "dates"),
        ("きー", "ja", "keys"),
        ("ｷｰ", "ja", "keys"),
        ("退去", "ja", "dates"),
        ("pms keys issue", "en", "keys"),
    ],
)
def test_a_word_is_found_where_it_stands(question: str, language: str, page: str) -> None:
    assert page in {hit.section.page.slug for hit in find(question, language)}


def test_all_words_must_be_there() -> None:
    assert find("budget polling", "en")
    assert not find("budget xylophone", "en")


def test_a_section_named_by_the_word_comes_first() -> None:
    assert find("month to month", "en")[0].section.heading == "Month to month"
    assert find("owner residents", "en")[0].section.heading == "Owner residents"


def test_the_words_around_the_hit_are_shown_with_the_hit_as_it_is_written() -> None:
    before, hit, after = find("RETRY-AFTER", "en")[0].snippet
    assert hit == "Retry-After"
    assert len(before + after) < 200


def test_the_text_around_a_hit_breaks_no_word() -> None:
    for found in find("deposit", "en"):
        text = found.section.text
        shown = "".join(found.snippet).removeprefix("… ").removesuffix(" …")
        first = text.index(shown)
        for cut in (first, first + len(shown)):
            assert not re.fullmatch(r"[A-Za-z]{2}", text[max(0, cut - 1) : cut + 1])


def test_the_page_lists_the_places_and_keeps_the_question(reader: FlaskClient) -> None:
    html = reader.get("/manual/search?q=Retry-After").text
    assert "/manual/limits#headers" in places(html)
    assert html.count('value="Retry-After"') == 2
    assert "<mark>Retry-After</mark>" in html


def test_a_found_place_opens_in_the_language_of_the_question(reader: FlaskClient) -> None:
    reader.get("/manual/?lang=ja")
    html = reader.get("/manual/search", query_string={"q": "月単位の継続"}).text
    assert "件見つかりました" in html
    assert "/manual/dates#month-to-month" in places(html)


def test_one_place_is_told_in_the_singular(reader: FlaskClient) -> None:
    assert "1 result" in reader.get("/manual/search?q=llms-full.txt").text


@pytest.mark.parametrize("question", ["xylophone", "%E2%80%9C%3Cb%3E", "a" * 5_000, "%00", "%ff"])
def test_nothing_found_says_so_and_offers_the_contents(question: str, reader: FlaskClient) -> None:
    answer = reader.get(f"/manual/search?q={question}")
    assert answer.status_code == 200
    assert "No page of the manual contains all of these words" in answer.text
    assert 'href="/manual/"' in answer.text.partition("empty-block")[2]
    assert "<b>" not in answer.text


@pytest.mark.parametrize("query", ["", "?q=", "?q=%20%E3%80%80"])
def test_no_question_asks_for_one(query: str, reader: FlaskClient) -> None:
    answer = reader.get(f"/manual/search{query}")
    assert answer.status_code == 200
    assert "Enter one or more words to find pages" in answer.text
