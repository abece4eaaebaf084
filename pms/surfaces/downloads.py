"""Answers that are files; no cache stores them."""

from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import quote

from flask import Response

from pms.foundation.spreadsheet import Cell, csv_file

XLSX_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_CSV_TYPE: Final = "text/csv; charset=utf-8"


def csv_answer(file_name: str, heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Response:
    """Return a CSV file of the heads and rows that spreadsheets in Japan open."""
    return csv_file_answer(csv_file([heads, *rows]), file_name)


def csv_file_answer(content: bytes, file_name: str) -> Response:
    """Return a CSV file as a download."""
    return file_answer(content, _CSV_TYPE, file_name)


def pdf_answer(content: bytes, file_name: str) -> Response:
    """Return a PDF that the browser shows inline."""
    return _answer(content, "application/pdf", f"inline; filename*=UTF-8''{quote(file_name)}")


def file_answer(content: bytes, media_type: str, file_name: str) -> Response:
    """Return a file as a download; the browser does not show it inline."""
    return _answer(content, media_type, f"attachment; filename*=UTF-8''{quote(file_name)}")


def bank_file_answer(file_name: str, content: bytes) -> Response:
    """Return a file for a bank unchanged, as a download; its name must be ASCII."""
    return _answer(content, "application/octet-stream", f'attachment; filename="{file_name}"')


def _answer(content: bytes, media_type: str, disposition: str) -> Response:
    headers = {
        "Content-Type": media_type,
        "Content-Disposition": disposition,
        "Cache-Control": "no-store",
    }
    return Response(content, headers=headers)
