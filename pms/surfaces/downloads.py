"""Answers that are files."""

from collections.abc import Iterable, Sequence
from urllib.parse import quote, urlsplit

from flask import Response

from pms.foundation.spreadsheet import Cell, csv_file


def csv_answer(file_name: str, heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Response:
    """Return the rows below their heads as CSV that a Japanese spreadsheet opens."""
    response = Response(csv_file([heads, *rows]), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(file_name)}"
    response.headers["Cache-Control"] = "no-store"
    return response


def bank_file_answer(file_name: str, content: bytes) -> Response:
    """Return a file for a bank as it is, to be saved and not kept by anybody on the way."""
    response = Response(content, content_type="application/octet-stream")
    response.headers["Content-Disposition"] = f'attachment; filename="{file_name}"'
    response.headers["Cache-Control"] = "no-store"
    return response


_LONGEST = 1500


def safe_path(text: str | None) -> str | None:
    """Return an address of this very site, `None` for any other text."""
    if not text or len(text) > _LONGEST or not text.startswith("/") or not text.isprintable():
        return None
    # Browsers read a backslash as a slash, and two slashes as another host.
    if text.startswith(("//", "/\\")) or "\\" in text.partition("?")[0]:
        return None
    parts = urlsplit(text)
    return None if parts.scheme or parts.netloc else text
