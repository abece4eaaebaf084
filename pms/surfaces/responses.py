"""What every response gets: headers that limit what a page may do, and compression of pages.

Compression must not leak the form token. An eavesdropper on an encrypted connection sees how long
an answer is. If they could also make a victim's browser request pages with guesses in the address,
the lengths of compressed pages would reveal the victim's form token letter by letter (BREACH). So a
page is compressed only when its own site requested it, or the reader by typing the address or by a
bookmark; `Sec-Fetch-Site` says so.
"""

from typing import Final

from flask import Flask, Response, request
from flask_compress import Compress

from pms.foundation.settings import Settings

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


def add_security_headers(app: Flask, settings: Settings) -> None:
    """Add the headers; one that a view set itself, for a stricter page, is kept."""
    of_pages, of_others = _headers(True, settings), _headers(False, settings)

    @app.after_request
    def guard(response: Response) -> Response:
        wanted = of_pages if response.mimetype == "text/html" else of_others
        for name, value in wanted.items():
            response.headers.setdefault(name, value)
        return response


def _headers(is_page: bool, settings: Settings) -> dict[str, str]:
    headers = {
        "Content-Security-Policy": _PAGE_POLICY if is_page else _OTHER_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }
    if is_page:
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
    if settings.has_secure_cookies:
        headers["Strict-Transport-Security"] = _TWO_YEARS
    return headers


_OWN: Final = frozenset({"same-origin", "none"})


def compress_pages(app: Flask) -> None:
    """Compress pages as the last step; call it before other hooks, since Flask runs them backwards.

    Answers of the API, assets and files are compressed where they are made, or not at all.
    """
    app.config.update(
        COMPRESS_REGISTER=False,
        COMPRESS_MIMETYPES=["text/html"],
        COMPRESS_ALGORITHM=["zstd", "br", "gzip"],
    )
    packing = Compress(app)

    @app.after_request
    def pack(response: Response) -> Response:
        if response.mimetype != "text/html" or response.is_streamed or not _is_asked_from_here():
            return response
        packed: Response = packing.after_request(response)
        return packed


def _is_asked_from_here() -> bool:
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in _OWN
    # Without encryption length is no secret; programs send neither this header nor cookies.
    return not (request.is_secure and request.cookies)
