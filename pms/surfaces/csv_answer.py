"""Answers with a table as a file to keep, which no cache on the way may."""

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from flask import Response

from pms.foundation.spreadsheet import Cell, csv_file


def csv_answer(file_name: str, heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Response:
    """Return the rows below their heads as CSV that a Japanese spreadsheet opens."""
    response = Response(csv_file([heads, *rows]), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(file_name)}"
    response.headers["Cache-Control"] = "no-store"
    return response
