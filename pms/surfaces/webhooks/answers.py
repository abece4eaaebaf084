"""Answers providers: few words, kept by nobody."""

from collections.abc import Mapping

import msgspec
from flask import Response


def answer(told: Mapping[str, object]) -> Response:
    """Answer with JSON."""
    response = Response(msgspec.json.encode(told), mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
