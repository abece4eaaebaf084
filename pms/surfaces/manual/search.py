"""Find the sections of the manual that contain every word of a question."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt

from pms.rules.search_text import fold, has_terms, terms
from pms.surfaces.manual.rendering import Page, all_pages, headings_of, plain_text

_LONGEST_QUESTION = 200
_MOST_FOUND = 30
_BETWEEN = " · "  # between paragraphs, cells and list items
_BEFORE, _AFTER = 40, 120  # characters shown around the first word found


@dataclass(frozen=True)
class Section:
    """The part of a page below one heading, as plain text."""

    page: Page
    heading: str
    anchor: str
    text: str


@dataclass(frozen=True)
class Found:
    """A section that was found, and the text around the first hit: before, hit, after."""

    section: Section
    snippet: tuple[str, str, str]


def find(question: str, language: str) -> tuple[Found, ...]:
    """Return the sections with every word of the question, those with hits in the heading first."""
    words = terms(question[:_LONGEST_QUESTION])
    if not words:
        return ()
    hits = [entry for entry in _index(language) if has_terms(entry[1], words)]
    hits.sort(key=lambda entry: _distance(entry[0], entry[1], words))
    return tuple(Found(hit, _snippet(hit.text, words)) for hit, _ in hits[:_MOST_FOUND])


@cache
def _index(language: str) -> tuple[tuple[Section, str], ...]:
    return tuple(
        (section, fold(f"{section.page.title} {section.heading} {section.text}"))
        for page in all_pages(language)
        for section in _sections(page)
    )


def _distance(section: Section, folded: str, words: tuple[str, ...]) -> tuple[int, int]:
    """Return the sort key: most words in the heading first, then most occurrences of the words."""
    heading = fold(section.heading)
    return -sum(word in heading for word in words), -sum(map(folded.count, words))


def _sections(page: Page) -> Iterator[Section]:
    tokens = MarkdownIt("commonmark").enable("table").parse(page.source)
    names = iter(headings_of(page))
    heading, anchor, texts = page.title, "", list[str]()
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag != "h1":
            yield Section(page, heading, anchor, _BETWEEN.join(texts))
            name = next(names)
            heading, anchor, texts = name.text, name.anchor, []
        elif token.type == "inline" and tokens[place - 1].type != "heading_open":
            texts.append(plain_text(token))
        elif token.type == "fence" and token.info.startswith("bash"):
            texts.append(token.content.replace("{base_url}", ""))
    yield Section(page, heading, anchor, _BETWEEN.join(texts))


def _snippet(text: str, words: tuple[str, ...]) -> tuple[str, str, str]:
    folded, origins = _folded_with_origins(text)
    starts = [(folded.find(word), word) for word in words if word in folded]
    if not starts:
        return text[: _BEFORE + _AFTER], "", ""
    start, word = min(starts)
    first, last = origins[start], origins[start + len(word) - 1] + 1
    before, after = text[max(0, first - _BEFORE) : first], text[last : last + _AFTER]
    cut_before = "… " if first > _BEFORE else ""
    cut_after = " …" if last + _AFTER < len(text) else ""
    return cut_before + before, text[first:last], after + cut_after


def _folded_with_origins(text: str) -> tuple[str, list[int]]:
    """Return the folded text and the original position of each of its characters."""
    pieces = [(fold(character) or " ", place) for place, character in enumerate(text)]
    folded = "".join(piece for piece, _ in pieces)
    return folded, [place for piece, place in pieces for _ in piece]
