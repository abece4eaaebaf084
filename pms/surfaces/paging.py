"""Reads which page of a list is asked for; a page nobody could mean is the first."""

import re
from typing import Final

from flask import request

from pms.foundation.run_records import Paging

ROWS_A_PAGE: Final = 50
_is_page = re.compile(r"[1-9][0-9]{0,5}").fullmatch


def asked_page() -> int:
    """Return the number of the page asked for, counted from 1."""
    given = request.args.get("page", "")
    return int(given) if _is_page(given) else 1


def asked_paging(limit: int = ROWS_A_PAGE) -> Paging:
    """Return the page asked for, of so many rows."""
    return Paging(asked_page(), limit)
