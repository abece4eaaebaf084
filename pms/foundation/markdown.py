"""Parses Markdown in texts that people write."""

from collections.abc import Iterator
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

_HTML_READER = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")


def to_html(markdown: str) -> str:
    """Return the HTML of a text; HTML markup in it is escaped."""
    return str(_HTML_READER.render(markdown))


Block = dict[str, Any]
_BLOCK_READER: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


def blocks_of(markdown: str) -> list[Block]:
    """Return the blocks of a text: headings, paragraphs, lists, tables and rules.

    Text is runs of `{text, bold, italic}`; other Markdown stays as plain text.
    """
    return list(_build_blocks(SyntaxTreeNode(_BLOCK_READER.parse(markdown)).children))


def _build_blocks(nodes: list[SyntaxTreeNode]) -> Iterator[Block]:
    for node in nodes:
        if node.type == "heading":
            yield {"kind": "heading", "level": int(node.tag[1:]), "runs": _runs_below(node)}
        elif node.type in ("bullet_list", "ordered_list"):
            items = [list(_build_blocks(item.children)) for item in node.children]
            start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 0
            yield {"kind": "list", "start": start, "items": items}
        elif node.type == "table":
            table_rows = [
                [_runs_below(cell) for cell in row.children]
                for part in node.children
                for row in part.children
            ]
            yield {"kind": "table", "rows": table_rows}
        elif node.type == "hr":
            yield {"kind": "rule"}
        elif node.type == "blockquote":
            yield from _build_blocks(node.children)
        elif node.type in ("fence", "code_block", "html_block"):
            yield {"kind": "paragraph", "runs": [_build_run(node.content)]}
        else:
            yield {"kind": "paragraph", "runs": _runs_below(node)}


def _runs_below(node: SyntaxTreeNode) -> list[Block]:
    return [
        run for inline in node.children for run in _build_runs(inline, bold=False, italic=False)
    ]


def _build_runs(node: SyntaxTreeNode, *, bold: bool, italic: bool) -> Iterator[Block]:
    if node.type in ("softbreak", "hardbreak"):
        yield _build_run("\n" if node.type == "hardbreak" else " ", bold=bold, italic=italic)
    elif node.children:
        for child in node.children:
            yield from _build_runs(
                child,
                bold=bold or node.type == "strong",
                italic=italic or node.type == "em",
            )
    elif node.content:
        yield _build_run(node.content, bold=bold, italic=italic)


def _build_run(text: str, *, bold: bool = False, italic: bool = False) -> Block:
    return {"text": text, "bold": bold, "italic": italic}
