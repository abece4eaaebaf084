"""Turns a page's Markdown into HTML: headings with anchors, tables and examples fit for a phone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from flask_babel import gettext
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

from pms.surfaces.manual.examples import read_marks
from pms.surfaces.manual.pages import ORIGINAL, Page, read_page
from pms.surfaces.manual.tables import label_cells, plain_text


@dataclass(frozen=True)
class Heading:
    """One line of a page's table of contents."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True)
class Rendered:
    """The HTML of a page in its parts, and what its table of contents lists."""

    lead: Markup
    body: Markup
    headings: tuple[Heading, ...]


def render(page: Page, base_url: str) -> Rendered:
    """Render a page; the words around its examples are in the language of the request."""
    tokens = _PARSER.parse(page.source.replace("{base_url}", base_url))
    label_cells(tokens)
    headings = headings_of(page, tokens)
    _set_anchors(tokens, headings)
    lead, below = tokens[_TITLE_TOKENS + 1 : _HEAD_TOKENS - 1], tokens[_HEAD_TOKENS:]
    return Rendered(_html(lead), _html(below), headings)


def headings_of(page: Page, tokens: Sequence[Token] | None = None) -> tuple[Heading, ...]:
    """The headings below the title. Anchors are those of the original, so that links hold."""
    texts = _heading_texts(tokens or _PARSER.parse(page.source))
    original = _heading_texts(_PARSER.parse(read_page(page.slug, ORIGINAL).source))
    return tuple(
        Heading(level, _anchor(name), text)
        for (level, text), (_, name) in zip(texts, original, strict=True)
    )


class _Renderer(RendererHTML):
    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """An example with its caption and a button that the script brings to life."""
        info, text = tokens[idx].info, escapeHtml(tokens[idx].content)
        caption, copy = _caption(info), gettext("Copy")
        return (
            f'<figure class="example"><figcaption>{caption}</figcaption>'
            f'<button class="button button-quiet example-copy" type="button" data-copy-example '
            f'aria-label="{copy}: {caption}" hidden>{copy}</button>'
            f'<pre tabindex="0" role="group" aria-label="{caption}" translate="no">'
            f"<code>{text}</code></pre></figure>\n"
        )


# A page opens with a heading and a paragraph; each is an opening, a text and a closing.
_TITLE_TOKENS, _HEAD_TOKENS = 3, 6
_PARSER = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")


def _caption(info: str) -> str:
    marks = read_marks(info)
    if "example" in marks:
        return str(gettext("Request"))
    if "answer" in marks:
        return str(gettext("Answer %(status)s", status=marks.get("status", "200")))
    return str(gettext("Command") if info.startswith("bash") else gettext("Example"))


def _heading_texts(tokens: Sequence[Token]) -> list[tuple[int, str]]:
    return [
        (int(token.tag[1]), plain_text(tokens[place + 1]))
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag != "h1"
    ]


def _anchor(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")


def _set_anchors(tokens: Sequence[Token], headings: Sequence[Heading]) -> None:
    opened = [token for token in tokens if token.type == "heading_open" and token.tag != "h1"]
    for token, heading in zip(opened, headings, strict=True):
        token.attrSet("id", heading.anchor)


def _html(tokens: Sequence[Token]) -> Markup:
    return Markup(_PARSER.renderer.render(tokens, _PARSER.options, {}))
