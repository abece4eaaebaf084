"""Search as a question to the database: every folded term stands somewhere in the folded text."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, and_, or_
from sqlalchemy.orm import InstrumentedAttribute

from pms.rules.search_text import fold, terms


def folded(row: Mapping[str, Any], columns: Iterable[str]) -> str:
    """Return the folded text of a row's columns, lists included, for its `search_text`."""
    return fold("\n".join(_texts(row.get(column) for column in columns)))


def finds(query: str, *columns: InstrumentedAttribute[str]) -> ColumnElement[bool]:
    """Return the condition that each term of the query stands in one of the columns."""
    return and_(
        True,
        *(
            or_(*(column.contains(term, autoescape=True) for column in columns))
            for term in terms(query)
        ),
    )


def _texts(values: Iterable[Any]) -> Iterable[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif value:
            yield from value
