"""The views of the manual: pages, their Markdown versions, the search, and texts for programs."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from flask import Response, abort, current_app, render_template, request
from flask_babel import force_locale
from flask_babel import gettext as _
from markdown_it import MarkdownIt

from pms.rules.search_text import fold, has_terms, terms
from pms.surfaces import hypermedia
from pms.surfaces.manual.contents import GROUPS, SLUGS, neighbours
from pms.surfaces.manual.rendering import (
    ORIGINAL,
    PICTURES,
    Page,
    all_pages,
    headings_of,
    plain_text,
    read_page,
    render,
)
from pms.surfaces.reader_choice import chosen_language, chosen_theme
from pms.surfaces.request_scope import today

_LONGEST_QUESTION = 200
_MOST_FOUND = 30
_BETWEEN = " · "  # between paragraphs, cells and list items
_BEFORE, _AFTER = 40, 120  # characters shown around the first word found
# What a cut leaves of a Latin word; Japanese has no spaces and may be cut anywhere.
_CUT_AT_START = re.compile(r"^[\w.,;:·]*\s+", re.ASCII)
_CUT_AT_END = re.compile(r"[\s·]+[\w.,;:'’-]*$", re.ASCII)


@dataclass(frozen=True)
class ManualSection:
    """The part of a page below one heading, as plain text."""

    page: Page
    heading: str
    anchor: str
    text: str


@dataclass(frozen=True)
class FoundSection:
    """A section that was found, and the text around the first hit: before, hit, after."""

    section: ManualSection
    snippet: tuple[str, str, str]


def find(question: str, language: str) -> tuple[FoundSection, ...]:
    """Return the sections with every word of the question, those with hits in the heading first."""
    words = terms(question[:_LONGEST_QUESTION])
    if not words:
        return ()
    hits = [entry for entry in _build_search_index(language) if has_terms(entry[1], words)]
    hits.sort(key=lambda entry: _build_sort_key(entry[0], entry[1], words))
    return tuple(FoundSection(hit, _find_snippet(hit.text, words)) for hit, _ in hits[:_MOST_FOUND])


@cache
def _build_search_index(language: str) -> tuple[tuple[ManualSection, str], ...]:
    return tuple(
        (section, fold(f"{section.page.title} {section.heading} {section.text}"))
        for page in all_pages(language)
        for section in _list_sections(page)
    )


def _build_sort_key(
    section: ManualSection, folded: str, words: tuple[str, ...]
) -> tuple[bool, int, int]:
    """Return the sort key: a heading with the whole question, then most words in the heading.

    Sections that are equal in that have most occurrences of the words first.
    """
    heading = fold(section.heading)
    lacks_question = " ".join(words) not in heading
    return lacks_question, -sum(word in heading for word in words), -sum(map(folded.count, words))


def _list_sections(page: Page) -> Iterator[ManualSection]:
    tokens = MarkdownIt("commonmark").enable("table").parse(page.source)
    names = iter(headings_of(page))
    heading, anchor, texts = page.title, "", list[str]()
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag != "h1":
            yield ManualSection(page, heading, anchor, _BETWEEN.join(texts))
            name = next(names)
            heading, anchor, texts = name.text, name.anchor, []
        elif token.type == "inline" and tokens[place - 1].type != "heading_open":
            texts.append(plain_text(token))
        elif token.type == "fence" and token.info.startswith("bash"):
            texts.append(token.content.replace("{base_url}", ""))
    yield ManualSection(page, heading, anchor, _BETWEEN.join(texts))


def _find_snippet(text: str, words: tuple[str, ...]) -> tuple[str, str, str]:
    # The folded text and the original position of each of its characters.
    pieces = [(fold(character) or " ", place) for place, character in enumerate(text)]
    folded = "".join(piece for piece, _ in pieces)
    origins = [place for piece, place in pieces for _ in piece]
    starts = [(folded.find(word), word) for word in words if word in folded]
    if not starts:
        return _cut_after(text, _BEFORE + _AFTER), "", ""
    start, word = min(starts)
    first, last = origins[start], origins[start + len(word) - 1] + 1
    before = text[max(0, first - _BEFORE) : first]
    if first > _BEFORE:
        before = "… " + _CUT_AT_START.sub("", before)
    return before, text[first:last], _cut_after(text[last:], _AFTER)


def _cut_after(text: str, most: int) -> str:
    """Return the beginning of a text, without a part of a word at its end."""
    return text if len(text) <= most else _CUT_AT_END.sub("", text[:most]) + " …"


_TITLE = "Property Management Service"
_SUMMARY = (
    "A multi-workspace property-management service for shared houses and apartments in Japan: "
    "catalogue, reservations and availability, with a small JSON API that is mostly for reading."
)


def index(base_url: str, *, heading: str = f"# {_TITLE}\n\n> {_SUMMARY}") -> str:
    """Return links to the Markdown pages by group, each with its summary."""
    with force_locale(ORIGINAL):
        lines = (
            f"- [{page.title}]({base_url}/manual/{page.slug}.md?lang=ja)"
            for page in all_pages("ja")
        )
        translations = "## Optional\n\n" + "\n".join(
            [f"- [All of it in one text]({base_url}/llms-full.txt)", *lines]
        )
        blocks = [heading, *_listed_groups(ORIGINAL, base_url), translations]
    return "\n\n".join(blocks) + "\n"


def table_of_contents(language: str, base_url: str, title: str) -> str:
    """Return the front page of the manual as Markdown, in one language."""
    return "\n\n".join([f"# {title}", *_listed_groups(language, base_url)]) + "\n"


def full_text(base_url: str) -> str:
    """Return every English page, one after the other."""
    pages = (page.markdown(base_url).strip() for page in all_pages(ORIGINAL))
    return "\n\n---\n\n".join([f"# {_TITLE}\n\n> {_SUMMARY}", *pages]) + "\n"


def _listed_groups(language: str, base_url: str) -> Iterator[str]:
    suffix = "" if language == ORIGINAL else f"?lang={language}"
    for name, slugs in GROUPS:
        pages = (read_page(slug, language) for slug in slugs)
        lines = (
            f"- [{page.title}]({base_url}/manual/{page.slug}.md{suffix}): {page.summary}"
            for page in pages
        )
        yield f"## {name}\n\n" + "\n".join(lines)


_PLAIN = "text/plain"


def front() -> Response:
    """Send the table of contents."""
    if hypermedia.prefers_markdown():
        return _vary_by_accept(front_markdown())
    html = _cache_text("front", lambda: render_template("manual/front.html", groups=_menu_groups()))
    return _vary_by_accept(_answer_text(html, hypermedia.HTML))


def front_markdown() -> Response:
    """Send the table of contents as Markdown."""
    title = _("Manual")
    text = _cache_text("front.md", lambda: table_of_contents(chosen_language(), _base_url(), title))
    return _answer_text(text, hypermedia.MARKDOWN)


def page(slug: str) -> Response:
    """Send one page, as HTML or, if the client prefers it, as Markdown."""
    if hypermedia.prefers_markdown():
        return _vary_by_accept(markdown(slug))
    if slug not in SLUGS:
        abort(404)
    return _vary_by_accept(
        _answer_text(_cache_text(slug, lambda: _page_html(slug)), hypermedia.HTML)
    )


def markdown(slug: str) -> Response:
    """Send a page as Markdown."""
    if slug not in SLUGS:
        page_text = _(
            "This page was not found. Contents of the manual: %(url)s",
            url=f"{_base_url()}/manual.md",
        )
        response = _answer_text(f"# 404\n\n{page_text}\n", hypermedia.MARKDOWN)
        response.status_code = 404
        return response
    text = _cache_text(
        f"{slug}.md", lambda: read_page(slug, chosen_language()).markdown(_base_url())
    )
    return _answer_text(text, hypermedia.MARKDOWN)


def sample_statement() -> Response:
    """Send a sample bank statement to import; it continues after the demo's month."""
    headers = {"Content-Disposition": 'attachment; filename="statement.csv"'}
    from pms.demo import bank

    csv = bank.sample_statement(today())
    return Response(csv, content_type="text/csv; charset=shift_jis", headers=headers)


def picture(language: str, name: str) -> Response:
    """Send a picture of a page."""
    path = PICTURES / language / name
    if path.suffix != ".webp" or not path.is_file():
        abort(404)
    answer = Response(path.read_bytes(), mimetype="image/webp")
    return _tag_response(answer)


def search() -> Response:
    """Send the sections that contain the words searched for."""
    question = request.args.get("q", "").strip()
    found = find(question, chosen_language())
    return hypermedia.page(
        "manual/search.html", question=question, found=found, groups=_menu_groups()
    )


def llms() -> Response:
    """Send the index for programs."""
    return _tag_response(
        Response(_cache_text("llms.txt", lambda: index(_base_url())), mimetype=_PLAIN)
    )


def llms_full() -> Response:
    """Send the whole manual for programs."""
    text = _cache_text("llms-full.txt", lambda: full_text(_base_url()))
    return _tag_response(Response(text, mimetype=_PLAIN))


def _page_html(slug: str) -> str:
    shown = read_page(slug, chosen_language())
    before, after = (
        read_page(name, chosen_language()) if name else None for name in neighbours(slug)
    )
    return render_template(
        "manual/page.html",
        page=shown,
        rendered=render(shown, _base_url()),
        before=before,
        after=after,
        groups=_menu_groups(),
    )


def _menu_groups() -> list[tuple[object, list[object]]]:
    language = chosen_language()
    return [(name, [read_page(slug, language) for slug in slugs]) for name, slugs in GROUPS]


def _base_url() -> str:
    return str(current_app.config["BASE_URL"])


def _cache_text(name: str, make: Callable[[], str]) -> str:
    """Return the cached text for this language and theme; it is made at the first request."""
    kept: dict[tuple[str, str, str], str] = current_app.extensions.setdefault("manual", {})
    key = (name, chosen_language(), chosen_theme())
    if key not in kept:
        kept[key] = make()
    return kept[key]


def _vary_by_accept(response: Response) -> Response:
    response.vary.add("Accept")
    return response


def _answer_text(text: str, mimetype: str) -> Response:
    return _tag_response(hypermedia.vary_by_reader(Response(text, mimetype=mimetype)))


def _tag_response(response: Response) -> Response:
    response.headers.setdefault("Cache-Control", "no-cache")
    response.add_etag()
    response.make_conditional(request)
    return response
