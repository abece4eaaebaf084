"""Lists of many rows: one page of them, and the rows that contain every term of a search."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, or_
from sqlalchemy.orm import InstrumentedAttribute

from pms.rules.search_text import fold, terms


class Paging(NamedTuple):
    """One page of a list: its number, counted from 1, and the rows per page."""

    page: int
    limit: int

    @property
    def offset(self) -> int:
        return (self.page - 1) * self.limit

    def pages(self, total: int) -> int:
        """Return the number of pages for `total` rows; 0 for no rows."""
        return -(-total // self.limit)

    def within(self, total: int) -> "Paging":
        """Return this page of `total` rows, or the last one if it is past the end."""
        return Paging(max(1, min(self.page, self.pages(total))), self.limit)


def fold_columns(row: Mapping[str, Any], columns: Iterable[str]) -> str:
    """Return the folded text of a row's columns, lists included, for its `search_text`."""
    texts: list[str] = []
    for value in (row.get(column) for column in columns):
        if isinstance(value, str):
            texts.append(value)
        elif value:
            texts.extend(value)
    return fold("\n".join(texts))


def finds(query: str, *columns: InstrumentedAttribute[str]) -> ColumnElement[bool]:
    """Return the condition that each term of the query occurs in one of the columns."""
    return and_(
        True,
        *(
            or_(*(column.contains(term, autoescape=True) for column in columns))
            for term in terms(query)
        ),
    )
