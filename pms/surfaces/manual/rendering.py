"""Render a page's Markdown to HTML: headings with anchors, tables and examples fit for phones."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from flask_babel import gettext as _
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

from pms.rules.enumerations import Locale
from pms.site.passages import Passage, PassageKind
from pms.surfaces.manual.contents import SLUGS

_ROLES = {
    "table_open": "table",
    "thead_open": "rowgroup",
    "tbody_open": "rowgroup",
    "tr_open": "row",
    "th_open": "columnheader",
    "td_open": "cell",
}


def label_cells(tokens: Sequence[Token]) -> None:
    """Label each cell with its column's heading, and give the parts of tables their roles.

    The stylesheet shows cells as blocks, after which browsers no longer treat them as a table
    unless the roles say so.
    """
    columns: list[str] = []
    place = 0
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type in _ROLES:
            token.attrSet("role", _ROLES[token.type])
        if token.type == "thead_open":
            columns = []
        elif token.type == "th_open" and following is not None:
            columns.append(plain_text(following))
        elif token.type == "tr_open":
            place = 0
        elif token.type == "td_open":
            token.attrSet("data-label", columns[place])
            place += 1


def plain_text(inline: Token) -> str:
    """Return the text of an inline token without its markup."""
    return "".join(child.content for child in inline.children or () if child.content)


# A request is a fence ```` ```bash example=NAME ````, its answer a fence
# ```` ```json answer=NAME status=200 ````. The English page holds the text; an empty fence of the
# same name on the Japanese page is filled from it, so that the text is kept in one place.
_FENCE = re.compile(
    r"^```(?P<language>\w+)(?P<marks>(?: \w+=\S+)*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True)
class Fence:
    """One fenced block: its language, its marks and its text."""

    language: str
    marks: dict[str, str]
    body: str


def fences(markdown: str) -> tuple[Fence, ...]:
    """Return every fenced block of a page, in order."""
    return tuple(_read_fence(match) for match in _FENCE.finditer(markdown))


def read_marks(text: str) -> dict[str, str]:
    """Return the `name=value` marks after a fence's language."""
    return dict(word.split("=", 1) for word in text.split() if "=" in word)


def filled_from(original: str, translation: str) -> str:
    """Return the translated page with its empty marked fences filled from the original page."""
    bodies = {_build_fence_key(fence): fence.body for fence in fences(original) if fence.marks}

    def fill(match: re.Match[str]) -> str:
        fence = _read_fence(match)
        body = fence.body or bodies.get(_build_fence_key(fence), "")
        return f"```{match['language']}{match['marks']}\n{body}```"

    return _FENCE.sub(fill, translation)


def without_marks(markdown: str) -> str:
    """Return the page for readers: fences with their language and without marks."""
    return _FENCE.sub(lambda match: f"```{match['language']}\n{match['body']}```", markdown)


def _read_fence(match: re.Match[str]) -> Fence:
    return Fence(match["language"], read_marks(match["marks"]), match["body"])


def _build_fence_key(fence: Fence) -> tuple[str, ...]:
    return tuple(sorted(f"{mark}={value}" for mark, value in fence.marks.items()))


ORIGINAL = "en"
_PAGES = Path(__file__).parent / "pages"
PICTURES: Final = Path(__file__).parent / "pictures"
"""One folder for each language; `tests/screens/manual_pictures.py` makes the pictures."""
_PICTURE: Final = "/manual/pictures/"
_MANUAL_LINK = re.compile(r"\]\(/manual/([\w/-]+)(#[\w-]+)?\)")


@dataclass(frozen=True)
class Page:
    """One page in one language: its Markdown, with the marks of its examples."""

    slug: str
    language: str
    source: str

    @property
    def title(self) -> str:
        """The text of the first heading."""
        return self.source.partition("\n")[0].removeprefix("# ").strip()

    @property
    def summary(self) -> str:
        """The paragraph below the first heading."""
        return self.source.split("\n\n")[1].replace("\n", " ").strip()

    @property
    def plain_summary(self) -> str:
        """The summary without marks of code and emphasis."""
        return self.summary.replace("`", "").replace("**", "")

    def markdown(self, base_url: str) -> str:
        """Return the page for programs: absolute addresses, and links to Markdown pages."""
        plain = without_marks(self.source).replace("{base_url}", base_url)
        suffix = "" if self.language == ORIGINAL else f"?lang={self.language}"
        plain = plain.replace(f"]({_PICTURE}", f"]({base_url}{_PICTURE}")
        return _MANUAL_LINK.sub(rf"]({base_url}/manual/\1.md{suffix}\2)", plain)


@cache
def read_page(slug: str, language: str) -> Page:
    """Return one page of the manual; `slug` must be one of the contents."""
    original = _read_source(slug, ORIGINAL)
    if language == ORIGINAL:
        return Page(slug, language, original)
    return Page(slug, language, filled_from(original, _read_source(slug, language)))


def all_pages(language: str) -> tuple[Page, ...]:
    """Return every page, in the order of the manual."""
    return tuple(read_page(slug, language) for slug in SLUGS)


def _read_source(slug: str, language: str) -> str:
    return (_PAGES / language / f"{slug}.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Heading:
    """One entry of a page's table of contents."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True)
class Rendered:
    """The HTML of a page in its parts, and its table of contents."""

    lead: Markup
    body: Markup
    headings: tuple[Heading, ...]


def render(page: Page, base_url: str) -> Rendered:
    """Render a page; the labels of its examples are in the language of the request."""
    tokens = _PARSER.parse(page.source.replace("{base_url}", base_url))
    label_cells(tokens)
    headings = headings_of(page, tokens)
    opened = [token for token in tokens if token.type == "heading_open" and token.tag != "h1"]
    for token, heading in zip(opened, headings, strict=True):
        token.attrSet("id", heading.anchor)
    lead, below = tokens[_TITLE_TOKENS + 1 : _HEAD_TOKENS - 1], tokens[_HEAD_TOKENS:]
    return Rendered(_render_tokens(lead), _render_tokens(below), headings)


def headings_of(page: Page, tokens: Sequence[Token] | None = None) -> tuple[Heading, ...]:
    """Return the headings below the title, with the anchors of the original page."""
    texts = _heading_texts(tokens or _PARSER.parse(page.source))
    original = _heading_texts(_PARSER.parse(read_page(page.slug, ORIGINAL).source))
    return tuple(
        Heading(level, re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-"), text)
        for (level, text), (_, name) in zip(texts, original, strict=True)
    )


class _Renderer(RendererHTML):
    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Render an example with its caption and a copy button that a script activates."""
        info, text = tokens[idx].info, escapeHtml(tokens[idx].content)
        marks = read_marks(info)
        if "example" in marks:
            caption = str(_("Request"))
        elif "answer" in marks:
            caption = str(_("Response %(status)s", status=marks.get("status", "200")))
        else:
            caption = str(_("Command") if info.startswith("bash") else _("Example"))
        copy = _("Copy")
        return (
            f'<figure class="example"><figcaption>{caption}</figcaption>'
            f'<button class="button button-quiet example-copy" type="button" data-copy-example '
            f'aria-label="{copy}: {caption}" hidden>{copy}</button>'
            f'<pre tabindex="0" role="group" aria-label="{caption}" translate="no">'
            f"<code>{text}</code></pre></figure>\n"
        )

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Render a picture that is loaded lazily, with its size reserved."""
        from PIL import Image

        source, words = str(tokens[idx].attrs["src"]), escapeHtml(tokens[idx].content)
        with Image.open(PICTURES / source.removeprefix(_PICTURE)) as picture:
            width, height = picture.size
        return (
            f'<img src="{escapeHtml(source)}" alt="{words}" width="{width}" height="{height}" '
            f'loading="lazy">'
        )


# A page begins with a heading and a paragraph; each has three tokens: open, text, close.
_TITLE_TOKENS, _HEAD_TOKENS = 3, 6
_PARSER = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")


def _heading_texts(tokens: Sequence[Token]) -> list[tuple[int, str]]:
    return [
        (int(token.tag[1]), plain_text(tokens[place + 1]))
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag != "h1"
    ]


def _render_tokens(tokens: Sequence[Token]) -> Markup:
    return Markup(_PARSER.renderer.render(tokens, _PARSER.options, {}))


# The pages that help a visitor of an operator's website; docs/decisions/assistant.md says why
# there are only a few.
HELPFUL: Final = ("move-in-invoice", "deposit", "contracts", "month-to-month")
"""The pages whose first paragraph is for visitors; the other pages are for the staff."""


@lru_cache(maxsize=4)
def passages_for_visitors(base_url: str) -> Mapping[str, Sequence[Passage]]:
    """Return the first paragraphs of those pages, by language."""
    return {
        locale: tuple(_build_passage(slug, locale, base_url) for slug in HELPFUL)
        for locale in Locale
    }


def _build_passage(slug: str, locale: Locale, base_url: str) -> Passage:
    page = read_page(slug, locale)
    url = f"{base_url}/manual/{slug}?lang={locale}"
    return Passage(PassageKind.MANUAL, page.title, page.plain_summary, url)
