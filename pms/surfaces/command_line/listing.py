"""Prints the rows of a listing command: a table for people, JSON for programs."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
import msgspec

# Every listing command takes this option: `@as_json`, then `show(rows, as_json=as_json)`.
as_json: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON instead of a table."
)


def show(
    rows: Sequence[Mapping[str, Any]], *, as_json: bool, empty: str = "Nothing to list."
) -> None:
    """Print the rows; the columns are the keys of the first one."""
    if as_json:
        click.echo(json_text(rows))
    elif not rows:
        click.echo(empty)
    else:
        click.echo(table(rows))


def json_text(value: Any) -> str:
    """Return the value as indented JSON, dates in ISO form."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the rows under their headings, aligned also where Japanese takes two cells."""
    headings = list(rows[0])
    lines = [headings, *([_cell(row.get(name)) for name in headings] for row in rows)]
    widths = [max(_width(line[column]) for line in lines) for column in range(len(headings))]
    return "\n".join(_line(line, widths) for line in lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(str(part) for part in value)
    return str(value)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)
    )
    return "  ".join(padded).rstrip()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
