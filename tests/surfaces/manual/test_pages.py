"""Every page of the manual is there in both languages, whole and well linked."""

import gzip
import re
from itertools import pairwise
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from pms.surfaces.manual.contents import GROUPS, SLUGS, neighbours
from pms.surfaces.manual.examples import fences
from pms.surfaces.manual.pages import read_page

LANGUAGES = ("en", "ja")
PAGES = Path(__file__).parents[3] / "pms" / "surfaces" / "manual" / "pages"
LINK = re.compile(r"\]\(([^)]+)\)")
HREF = re.compile(r'\s(?:href|src|action)="([^"]+)"')
HEADING = re.compile(r"<h([1-6])")
ID = re.compile(r' id="([^"]+)"')

each_page = pytest.mark.parametrize("slug", SLUGS)
each_language = pytest.mark.parametrize("language", LANGUAGES)


@each_language
def test_the_files_are_the_contents_and_nothing_else(language: str) -> None:
    folder = PAGES / language
    names = {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.md")}
    assert names == set(SLUGS)


@each_page
def test_both_languages_say_the_same_in_the_same_order(slug: str) -> None:
    english, japanese = (read_page(slug, language).source for language in LANGUAGES)
    english, japanese = (
        re.sub(r"```.*?```", "```", text, flags=re.S) for text in (english, japanese)
    )
    headings = [len(line.split()[0]) for line in english.splitlines() if line.startswith("#")]
    translated = [len(line.split()[0]) for line in japanese.splitlines() if line.startswith("#")]
    assert headings == translated
    for sign in ("\n| ", "\n- ", "\n> ", "\n```"):
        assert english.count(sign) == japanese.count(sign), sign


@each_page
def test_both_languages_show_the_same_examples(slug: str) -> None:
    english, japanese = (fences(read_page(slug, language).source) for language in LANGUAGES)
    assert [(f.language, f.marks, f.body) for f in english] == [
        (f.language, f.marks, f.body) for f in japanese
    ]
    assert all(fence.body.strip() for fence in english)


@each_page
def test_a_japanese_page_is_written_in_japanese(slug: str) -> None:
    page = read_page(slug, "ja")
    assert re.search("[ぁ-んァ-ヶ一-龠]", page.title)
    assert re.search("[ぁ-ん]", page.summary)


@each_page
@each_language
def test_a_page_opens_with_a_title_and_a_summary_without_links(slug: str, language: str) -> None:
    page = read_page(slug, language)
    assert page.source.startswith(f"# {page.title}\n\n{page.source.split(chr(10) * 2)[1]}\n\n")
    assert not LINK.search(page.summary)
    assert page.summary[0] not in "#|->"


@each_page
@each_language
def test_a_page_opens(slug: str, language: str, reader: FlaskClient) -> None:
    answer = reader.get(f"/manual/{slug}?lang={language}")
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"
    assert f'<html lang="{language}"' in answer.text
    assert f"<h1>{read_page(slug, language).title}</h1>" in answer.text


@each_page
@each_language
def test_headings_go_down_one_step_at_a_time(slug: str, language: str, reader: FlaskClient) -> None:
    main = reader.get(f"/manual/{slug}?lang={language}").text.partition("<main")[2]
    levels = [int(level) for level in HEADING.findall(main)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


@each_page
@each_language
def test_every_link_of_a_page_leads_somewhere(
    slug: str, language: str, reader: FlaskClient
) -> None:
    html = reader.get(f"/manual/{slug}?lang={language}").text
    for address in set(HREF.findall(html)):
        path, _, anchor = address.replace("&amp;", "&").partition("#")
        target = reader.get(path).text if path else html
        assert reader.get(path or "/manual/").status_code == 200, address
        assert not anchor or anchor in ID.findall(target), address


@each_page
def test_anchors_are_ascii_unique_and_the_same_in_both_languages(
    slug: str, reader: FlaskClient
) -> None:
    english, japanese = (
        ID.findall(reader.get(f"/manual/{slug}?lang={language}").text) for language in LANGUAGES
    )
    assert english == japanese
    assert len(set(english)) == len(english)
    assert all(name.isascii() for name in english)


def test_the_pages_form_one_chain_from_the_first_to_the_last() -> None:
    walked, here = [], SLUGS[0]
    while True:
        walked.append(here)
        before, after = neighbours(here)
        assert before == (walked[-2] if len(walked) > 1 else None)
        if after is None:
            break
        here = after
    assert tuple(walked) == SLUGS


def test_the_front_page_lists_every_page_with_its_summary(reader: FlaskClient) -> None:
    main = reader.get("/manual/").text.partition("<main")[2]
    for slug in SLUGS:
        assert f'href="/manual/{slug}"' in main
    assert main.count("<h2>") == len(GROUPS)


@pytest.mark.parametrize(
    "path", ["/manual/nothing", "/manual/api", "/manual/limits/", "/manual/../app", "/manual/%00"]
)
def test_a_page_that_is_not_there_is_a_404_that_helps(path: str, reader: FlaskClient) -> None:
    answer = reader.get(path)
    assert answer.status_code == 404
    assert "There is no such page" in answer.text
    assert 'href="/manual/"' in answer.text


@each_page
def test_pages_stay_within_their_budget(slug: str, reader: FlaskClient) -> None:
    for language in LANGUAGES:
        page = reader.get(f"/manual/{slug}?lang={language}").data
        assert len(gzip.compress(page)) <= 20 * 1024
