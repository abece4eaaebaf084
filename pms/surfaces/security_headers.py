"""Puts the headers on every answer that keep a browser from doing what a page did not ask for."""

from flask import Flask, Response
from werkzeug.datastructures import Headers

from pms.foundation.settings import Settings

Pairs = tuple[tuple[str, str], ...]


class OwnHeaders(Headers):
    """Headers that come from this program alone, each set by one place."""


def add_own(headers: Headers, pairs: Pairs) -> None:
    """Add headers that nobody else has set, and whose values no client chose freely.

    So no value is searched for a line break: eleven such searches an answer cost as much as the
    whole view of an unchanged poll.
    """
    headers._list.extend(pairs)


_PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_OTHER_POLICY = "default-src 'none'; frame-ancestors 'none'"  # data is read, never run
_TWO_YEARS = "max-age=63072000"


def install(app: Flask, settings: Settings) -> None:
    """Add the headers; a view that set one itself, for a stricter page, keeps its own."""
    of_pages, of_others = _headers(True, settings), _headers(False, settings)

    @app.after_request
    def guard(response: Response) -> Response:
        headers = response.headers
        wanted = of_pages if response.mimetype == "text/html" else of_others
        if isinstance(headers, OwnHeaders):
            add_own(headers, wanted)
        else:
            held = {name.lower() for name, _ in headers}
            add_own(headers, tuple(pair for pair in wanted if pair[0].lower() not in held))
        return response


def _headers(is_page: bool, settings: Settings) -> Pairs:
    headers = {
        "Content-Security-Policy": _PAGE_POLICY if is_page else _OTHER_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }
    if is_page:
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
    if settings.has_secure_cookies:
        headers["Strict-Transport-Security"] = _TWO_YEARS
    return tuple(headers.items())
