"""Answers with a paper to look at or a table to keep, never stored by anybody on the way."""

from typing import Final
from urllib.parse import quote

from flask import Response

XLSX_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def paper(content: bytes, name: str) -> Response:
    """A PDF, shown by the browser itself."""
    return _answer(content, "application/pdf", f"inline; filename*=UTF-8''{quote(name)}")


def kept_table(content: bytes, name: str) -> Response:
    """A CSV file to save."""
    return _answer(
        content, "text/csv; charset=utf-8", f"attachment; filename*=UTF-8''{quote(name)}"
    )


def kept_file(content: bytes, media_type: str, name: str) -> Response:
    """A file that somebody sent, to save and open elsewhere; no page of this address shows it."""
    return _answer(content, media_type, f"attachment; filename*=UTF-8''{quote(name)}")


def _answer(content: bytes, media_type: str, disposition: str) -> Response:
    headers = {"Content-Type": media_type, "Content-Disposition": disposition}
    return Response(content, headers=headers)
