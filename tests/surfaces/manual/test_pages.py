"""Every page of the manual is there in both languages, whole and well linked."""

import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from pms.surfaces.manual.contents import GROUPS, SLUGS, neighbours
from pms.surfaces.manual.rendering import fences, read_page
from tests.surfaces.manual.opened_pages import LANGUAGES, Opened, OpenedPages

PAGES = Path(__file__).parents[3] / "pms" / "surfaces" / "manual" / "pages"
LINK = re.compile(r"\]\(([^)]+)\)")
HREF = re.compile(r'\s(?:href|src|action)="([^"]+)"')
HEADING = re.compile(r"<h([1-6])")
MOST_BYTES = 20 * 1024
# A switch of a page leads to the page itself; what switches do has tests of its own.
SWITCH = re.compile(r"\?(?:lang=(?:en|ja)|theme=(?:auto|dark|light))")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_the_contents_and_nothing_else(language: str) -> None:
    folder = PAGES / language
    names = {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.md")}
    assert names == set(SLUGS)


def test_both_languages_say_the_same_in_the_same_order() -> None:
    outlines = {
        slug: [outline(read_page(slug, language).source) for language in LANGUAGES]
        for slug in SLUGS
    }
    assert {slug: both for slug, both in outlines.items() if both[0] != both[1]} == {}


def outline(source: str) -> dict[str, object]:
    """The levels of the headings, and how many rows, items, quotes and fences there are."""
    text = re.sub(r"```.*?```", "```", source, flags=re.S)
    levels = [len(line.split()[0]) for line in text.splitlines() if line.startswith("#")]
    return {"levels": levels} | {
        sign: text.count(f"\n{sign}") for sign in ("| ", "- ", "> ", "```")
    }


def test_a_page_that_lacks_a_heading_or_a_row_has_another_outline() -> None:
    whole = "# Keys\n\n## Scopes\n\n| a | b |\n"
    assert outline(whole) == outline("# キー\n\n## 権限\n\n| あ | い |\n")
    assert outline(whole) != outline("# キー\n\n| あ | い |\n")
    assert outline(whole) != outline("# キー\n\n## 権限\n")


def test_both_languages_show_the_same_examples() -> None:
    wrong = []
    for slug in SLUGS:
        english, japanese = (fences(read_page(slug, language).source) for language in LANGUAGES)
        if [(f.language, f.marks, f.body) for f in english] != [
            (f.language, f.marks, f.body) for f in japanese
        ]:
            wrong.append(f"{slug}: the languages show other examples")
        if not all(fence.body.strip() for fence in english):
            wrong.append(f"{slug}: an example is empty")
    assert wrong == []


def test_a_japanese_page_is_written_in_japanese() -> None:
    pages = [read_page(slug, "ja") for slug in SLUGS]
    assert [page.slug for page in pages if not re.search("[ぁ-んァ-ヶ一-龠]", page.title)] == []
    assert [page.slug for page in pages if not re.search("[ぁ-ん]", page.summary)] == []


def test_a_page_opens_with_a_title_and_a_summary_without_links() -> None:
    wrong = []
    for page in (read_page(slug, language) for slug in SLUGS for language in LANGUAGES):
        second = page.source.split("\n\n")[1]
        if not page.source.startswith(f"# {page.title}\n\n{second}\n\n"):
            wrong.append(f"{page.slug} ({page.language}): no title and summary at the top")
        if LINK.search(page.summary) or page.summary[0] in "#|->":
            wrong.append(f"{page.slug} ({page.language}): {page.summary!r} is no plain sentence")
    assert wrong == []


def test_every_page_opens_in_both_languages(opened: OpenedPages) -> None:
    wrong = []
    for slug, page in opened.each():
        title = read_page(slug, page.language).title
        if (page.answer.status_code, page.answer.mimetype) != (200, "text/html"):
            wrong.append(f"{page}: {page.answer.status} {page.answer.mimetype}")
        for part in (f'<html lang="{page.language}"', f"<h1>{title}</h1>"):
            if part not in page.text:
                wrong.append(f"{page}: no {part}")
    assert wrong == []


def test_headings_go_down_one_step_at_a_time(opened: OpenedPages) -> None:
    wrong = []
    for _, page in opened.each():
        levels = [int(level) for level in HEADING.findall(page.text.partition("<main")[2])]
        steps = [after - before for before, after in pairwise(levels)]
        if levels[:1] != [1] or levels.count(1) != 1 or max(steps, default=0) > 1:
            wrong.append(f"{page}: headings of the levels {levels}")
    assert wrong == []


def test_every_link_of_a_page_leads_somewhere(opened: OpenedPages) -> None:
    wrong = [complaint for _, page in opened.each() for complaint in broken_links(page, opened)]
    assert wrong == []


def broken_links(page: Opened, opened: OpenedPages) -> Iterator[str]:
    """Each link of a page to nothing, or to a place that its target does not have."""
    for link in set(HREF.findall(page.text)):
        address, _, anchor = link.replace("&amp;", "&").partition("#")
        is_own = not address or SWITCH.fullmatch(address.removeprefix(page.address))
        target = page if is_own else opened.open(address, page.language)
        if target.answer.status_code != 200:
            yield f"{page}: {link} answers {target.answer.status}"
        elif anchor and anchor not in target.ids:
            yield f"{page}: {link} names a place that is not there"


def test_planted_broken_links_are_found(opened: OpenedPages) -> None:
    planted = {
        "/manual/nothing": "answers 404 NOT FOUND",
        "/manual/limits#nothing": "names a place that is not there",
        "#nothing": "names a place that is not there",
    }
    for link, complaint in planted.items():
        page = replace(opened.page("keys", "en"), text=f'<a href="{link}">')
        assert list(broken_links(page, opened)) == [f"/manual/keys (en): {link} {complaint}"]


def test_anchors_are_ascii_unique_and_the_same_in_both_languages(opened: OpenedPages) -> None:
    wrong = []
    for slug in SLUGS:
        english, japanese = (opened.page(slug, language).ids for language in LANGUAGES)
        if english != japanese:
            wrong.append(f"{slug}: only one language has {set(english) ^ set(japanese)}")
        if len(set(english)) != len(english) or not all(name.isascii() for name in english):
            wrong.append(f"{slug}: twice or not ASCII among {english}")
    assert wrong == []


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
    assert "Page not found" in answer.text
    assert 'href="/manual/"' in answer.text


def test_pages_stay_within_their_budget(opened: OpenedPages) -> None:
    sizes = {str(page): len(gzip.compress(page.answer.data)) for _, page in opened.each()}
    assert {page: size for page, size in sizes.items() if size > MOST_BYTES} == {}
