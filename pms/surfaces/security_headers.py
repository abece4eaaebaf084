"""Add the headers that keep a browser from doing what a page did not ask for."""

from flask import Flask, Response

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


def install(app: Flask, settings: Settings) -> None:
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
