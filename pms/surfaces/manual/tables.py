"""Prepares tables for narrow screens, where each row becomes a block and each cell says its column."""

from collections.abc import Sequence

from markdown_it.token import Token

_ROLES = {
    "table_open": "table",
    "thead_open": "rowgroup",
    "tbody_open": "rowgroup",
    "tr_open": "row",
    "th_open": "columnheader",
    "td_open": "cell",
}


def label_cells(tokens: Sequence[Token]) -> None:
    """Give each cell its column's heading, and each part its role.

    The stylesheet lays the cells out as blocks; a browser then forgets that they are a table,
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
    """The words of an inline token without its markup."""
    return "".join(child.content for child in inline.children or () if child.content)
