"""Turns the Markdown of content into HTML in which nothing but Markdown survives."""

from markdown_it import MarkdownIt

_READER = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")


def to_html(markdown: str) -> str:
    """Return the HTML of a text; markup in it is shown, never obeyed."""
    return str(_READER.render(markdown))
