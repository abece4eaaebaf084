"""Finds words in texts as they were written, which keep no folded copy of themselves."""

from typing import Final

from sqlalchemy import ColumnElement, and_, or_
from sqlalchemy.orm import InstrumentedAttribute

_MOST_WORDS: Final = 6


def holds_words(
    text: str, *columns: InstrumentedAttribute[str] | InstrumentedAttribute[str | None]
) -> ColumnElement[bool]:
    """Return the condition that every word stands in one of the columns, large or small."""
    words = text.split()[:_MOST_WORDS]
    return and_(
        *(or_(*(column.icontains(word, autoescape=True) for column in columns)) for word in words)
    )
