"""Programs get the manual as Markdown: by address, by preference, as an index and as one text."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from pms.surfaces.manual.contents import SLUGS
from tests.surfaces.manual.opened_pages import Opened, OpenedPages

BASE = "http://127.0.0.1:8000"
LINK = re.compile(r"\]\((http[^)]+)\)")


def test_every_page_has_a_twin_at_its_address_and_md(opened: OpenedPages) -> None:
    wrong = [
        f"{twin}: {twin.answer.status}, {twin.answer.content_type}, begins {twin.text[:20]!r}"
        for _, twin in opened.each(".md")
        if twin.answer.status_code != 200
        or twin.answer.content_type != "text/markdown; charset=utf-8"
        or not twin.text.startswith("# ")
    ]
    assert wrong == []


def test_links_of_a_twin_are_whole_and_lead_to_markdown(opened: OpenedPages) -> None:
    wrong = [
        f"{twin}: {complaint}"
        for _, twin in opened.each(".md")
        for complaint in wrong_links(twin, opened)
    ]
    assert wrong == []


def wrong_links(twin: Opened, opened: OpenedPages) -> Iterator[str]:
    """Each link of a page's Markdown that is not whole or does not lead to Markdown."""
    yield from (f"holds {part}" for part in ("](/", "{base_url}") if part in twin.text)
    for link in set(LINK.findall(twin.text)):
        answer = opened.open(link.removeprefix(BASE).partition("#")[0], twin.language).answer
        if not link.startswith(f"{BASE}/manual/"):
            yield f"{link} leads out of the manual"
        elif answer.status_code != 200 or answer.mimetype not in ("text/markdown", "image/webp"):
            yield f"{link} answers {answer.status} {answer.mimetype}"


def test_planted_links_that_are_not_whole_or_lead_to_pages_are_found(opened: OpenedPages) -> None:
    planted = f"[a](/manual/keys) [b]({BASE}/manual/keys) [c]({BASE}/manual/no.md) [d]({BASE}/)"
    twin = replace(opened.open("/manual/keys.md", "en"), text=planted)
    assert sorted(wrong_links(twin, opened)) == [
        "holds ](/",
        f"{BASE}/ leads out of the manual",
        f"{BASE}/manual/keys answers 200 OK text/html",
        f"{BASE}/manual/no.md answers 404 NOT FOUND text/markdown",
    ]


def test_fences_of_a_twin_name_their_language_alone(reader: FlaskClient) -> None:
    text = reader.get("/manual/errors.md").text
    assert "example=" not in text
    assert "status=" not in text
    assert "```bash\ncurl" in text


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        (None, "text/html"),
        ("", "text/html"),
        ("*/*", "text/html"),
        ("text/*", "text/html"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
        ("text/markdown", "text/markdown"),
        ("Text/Markdown", "text/markdown"),
        ("text/markdown, text/html, */*", "text/markdown"),
        ("text/html, text/markdown", "text/markdown"),
        ("text/markdown;q=0.9, text/html", "text/html"),
        ("text/markdown;q=0.5, text/html;q=0.4", "text/markdown"),
        ("text/html;q=0.5, text/*", "text/markdown"),
        ("text/markdown;q=0", "text/html"),
        ("text/markdown;q=0, */*", "text/html"),
        ("application/json", "text/html"),
        ("nonsense;;q=x", "text/html"),
    ],
)
def test_the_higher_preference_wins_and_a_named_one_wins_a_tie(
    accept: str | None, wanted: str, reader: FlaskClient
) -> None:
    headers = {} if accept is None else {"Accept": accept}
    for path in ("/manual/", "/manual/limits"):
        answer = reader.get(path, headers=headers)
        assert answer.status_code == 200
        assert answer.mimetype == wanted
        assert {"Accept", "Accept-Language", "Cookie"} <= set(answer.vary)


def test_the_preferred_markdown_is_the_twin(reader: FlaskClient) -> None:
    preferred = reader.get("/manual/dates", headers={"Accept": "text/markdown"})
    assert preferred.data == reader.get("/manual/dates.md").data


@pytest.mark.parametrize("path", ["/manual.md", "/manual/index.md"])
def test_the_contents_have_a_twin(path: str, reader: FlaskClient) -> None:
    text = reader.get(path).text
    assert text.startswith("# Manual\n\n## The service\n\n- [")
    assert len(LINK.findall(text)) == len(SLUGS)


@pytest.mark.parametrize(
    ("path", "headers"), [("/manual/no.md", {}), ("/manual/no", {"Accept": "text/markdown"})]
)
def test_a_missing_page_is_told_in_markdown(
    path: str, headers: dict[str, str], reader: FlaskClient
) -> None:
    answer = reader.get(path, headers=headers)
    assert answer.status_code == 404
    assert answer.mimetype == "text/markdown"
    assert f"{BASE}/manual.md" in answer.text


def test_the_index_is_a_title_a_summary_and_lists_of_links(reader: FlaskClient) -> None:
    answer = reader.get("/llms.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    blocks = answer.text.strip().split("\n\n")
    assert blocks[0] == "# Property Management Service"
    assert blocks[1].startswith("> ")
    for heading, links in zip(blocks[2::2], blocks[3::2], strict=True):
        assert heading.startswith("## ")
        assert all(line.startswith("- [") for line in links.splitlines())


def test_every_link_of_the_index_opens(reader: FlaskClient) -> None:
    links = LINK.findall(reader.get("/llms.txt").text)
    assert {f"{BASE}/manual/{slug}.md" for slug in SLUGS} <= set(links)
    for link in links:
        assert reader.get(link.removeprefix(BASE)).status_code == 200


def test_the_index_is_english_whoever_asks(reader: FlaskClient) -> None:
    japanese = reader.get("/llms.txt", headers={"Accept-Language": "ja"})
    assert japanese.data == reader.get("/llms.txt").data


def test_the_full_text_holds_every_english_page(opened: OpenedPages) -> None:
    full = opened.open("/llms-full.txt", "ja").text
    twins = {slug: opened.page(f"{slug}.md", "en").text.strip() for slug in SLUGS}
    assert [slug for slug, text in twins.items() if text not in full] == []


@pytest.mark.parametrize(
    "path", ["/manual/", "/manual/limits", "/manual/limits.md", "/llms.txt", "/llms-full.txt"]
)
def test_an_unchanged_page_is_not_sent_again(path: str, reader: FlaskClient) -> None:
    first = reader.get(path)
    again = reader.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert again.data == b""
    assert "no-cache" in again.headers["Cache-Control"]


def test_each_form_of_a_page_has_a_tag_of_its_own(reader: FlaskClient) -> None:
    forms = ("?lang=en", "?lang=ja", "?lang=en&theme=dark", ".md?lang=en", ".md?lang=ja")
    tags = {reader.get(f"/manual/limits{form}").headers["ETag"] for form in forms}
    assert len(tags) == len(forms)
