"""Read which page of a list is requested; an invalid number is the first page."""

import re
from collections.abc import Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from flask import request

from pms.foundation.lists import Paging

Row = TypeVar("Row")

ROWS_A_PAGE: Final = 50
_is_page = re.compile(r"[1-9][0-9]{0,5}").fullmatch


def asked_page(parameter: str = "page") -> int:
    """Return the number of the requested page, counted from 1."""
    given = request.args.get(parameter, "")
    return int(given) if _is_page(given) else 1


def asked_paging(limit: int = ROWS_A_PAGE, parameter: str = "page") -> Paging:
    """Return the requested page, of `limit` rows."""
    return Paging(asked_page(parameter), limit)


class Part(NamedTuple, Generic[Row]):
    """One page of one of several lists on a page, with the list's total rows."""

    rows: Sequence[Row]
    total: int
    paging: Paging
    parameter: str


def part_of(rows: Sequence[Row], parameter: str, limit: int = ROWS_A_PAGE) -> Part[Row]:
    """Return the page of a list that its own parameter requests; past the end, the last page."""
    asked = asked_paging(limit, parameter)
    paging = Paging(max(1, min(asked.page, asked.pages(len(rows)))), limit)
    return Part(rows[paging.offset : paging.offset + limit], len(rows), paging, parameter)
