"""Answers with a paper to look at, never stored by anybody on the way."""

from urllib.parse import quote

from flask import Response


def paper(content: bytes, name: str) -> Response:
    """A PDF, shown by the browser itself."""
    disposition = f"inline; filename*=UTF-8''{quote(name)}"
    headers = {"Content-Type": "application/pdf", "Content-Disposition": disposition}
    return Response(content, headers=headers)
