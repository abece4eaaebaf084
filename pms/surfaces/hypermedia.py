"""What all surfaces answer with: pages and their blocks, files, redirects, error pages; their headers."""

import errno
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

from flask import (
    Flask,
    Response,
    current_app,
    flash,
    g,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
)
from flask_compress import Compress
from jinja2 import Template
from werkzeug.exceptions import HTTPException, SecurityError

from pms.foundation.database import Failure, failure_of, kinds_of_failure
from pms.foundation.settings import Settings
from pms.foundation.spreadsheet import Cell, csv_file
from pms.surfaces import assets, page_templates, reader_choice


# The head of the template is run first, so that a block finds what is set there; the library for
# this renders a block alone.
def render_block(name: str, block: str, /, **shown: object) -> str:
    """Render one block of a template as it appears in the whole page."""
    current_app.update_template_context(shown)
    environment = current_app.jinja_env
    template: Template = environment.get_template(name)
    context = template.new_context(shown)
    try:
        # Up to the first output: the `set`s at the top of the page and of its layout.
        with page_templates.language_asked_once():
            head = template.root_render_func(context)
            next(iter(head), None)
            return environment.concat(template.blocks[block](context))
    except Exception:
        environment.handle_exception()


# Only this module reads the request headers of htmx.
HTML = "text/html"
MARKDOWN = "text/markdown"
UNACCEPTED: Final = 422
_LONGEST_PATH: Final = 1500
_ASKED_BY_HTMX = "HX-Request"
FOR_READER: Final = "private, no-cache"
_OF_READER: Final = "Accept-Language, Cookie"
_OF_READER_OR_PART: Final = f"{_OF_READER}, {_ASKED_BY_HTMX}"
_EXPLAINED = (400, 403, 404, 405, 429, 500)
_ERROR_PAGE = "errors/page.html"
_ERROR_PART = "errors/part.html"


def install(app: Flask, settings: Settings) -> None:
    """Set up the application's languages, assets and error pages."""
    app.config["BASE_URL"] = settings.base_url
    reader_choice.install(app, settings)
    page_templates.install(app)
    assets.install(app)
    app.register_error_handler(HTTPException, _answer_error)
    failures: tuple[type[Exception], ...] = (OSError, *kinds_of_failure(settings))
    for failure in failures:
        app.register_error_handler(failure, _answer_failure)


class Undo(NamedTuple):
    """How the action just done can be undone: a form with one button."""

    action: str
    fields: dict[str, str]


def render(template: str, /, **shown: object) -> str:
    """Render a whole template."""
    with page_templates.language_asked_once():
        return render_template(template, **shown)


def page(template: str, /, **shown: object) -> Response:
    """Return a whole page in the reader's language and theme."""
    return _build_page_response(render(template, **shown), _OF_READER)


def page_or_block(template: str, block: str, /, **shown: object) -> Response:
    """Return a whole page, or only one block of it when htmx requests it."""
    shows_part = is_part()
    text = render_block(template, block, **shown) if shows_part else render(template, **shown)
    return _build_page_response(text, _OF_READER_OR_PART)


def _build_page_response(text: str, varies_by: str) -> Response:
    headers = {"Vary": varies_by, "Cache-Control": FOR_READER}
    return Response(text, headers=headers, mimetype=HTML)


def is_part() -> bool:
    """Whether htmx made the request and will put the answer into the current page."""
    return request.headers.get(_ASKED_BY_HTMX) == "true"


def go(address: str, message: str | None = None, undo: Undo | None = None) -> Response:
    """Redirect to another page, which shows the message and may offer to undo the action."""
    if message:
        flash(message, "message")
    if undo:
        flash(undo._asdict(), "undo")  # type: ignore[arg-type]  # any value the session can hold
    if is_part():
        return Response(status=204, headers={"HX-Redirect": address})
    return make_response(redirect(address, 303))


def safe_path(text: str | None) -> str | None:
    """Return the text if it is a path of this site, else `None`."""
    if not text or len(text) > _LONGEST_PATH or not text.startswith("/") or not text.isprintable():
        return None
    # Browsers read a backslash as a slash, and two slashes as the start of a host.
    if text.startswith(("//", "/\\")) or "\\" in text.partition("?")[0]:
        return None
    parts = urlsplit(text)
    return None if parts.scheme or parts.netloc else text


def vary_by_reader(response: Response) -> Response:
    """Declare that the answer depends on the reader's languages and saved choices."""
    response.vary.update(("Accept-Language", "Cookie"))
    response.headers.setdefault("Cache-Control", FOR_READER)
    return response


def prefers_markdown() -> bool:
    """Whether the client prefers Markdown to HTML.

    The higher quality wins. At equal quality Markdown wins if it is named: browsers never name it,
    and a program that does usually adds text/html only as a fallback.
    """
    accepted = request.accept_mimetypes
    markdown, html = accepted.quality(MARKDOWN), accepted.quality(HTML)
    if markdown != html:
        return markdown > html
    return markdown > 0 and any(name.lower() == MARKDOWN for name in accepted.values())


def error_page(status: int, kind: str | None = None) -> Response:
    """Return an error page: what happened, what to do next, and the request id.

    `kind` selects other texts where several reasons share a status.
    """
    usual = status if status in _EXPLAINED else (500 if status >= 500 else 400)
    template = _ERROR_PART if is_part() else _ERROR_PAGE
    response = page(
        template, kind=kind or usual, status=int(status), request_id=g.get("request_id")
    )
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    return response


def _answer_error(error: HTTPException) -> Response:
    if error.response is not None or error.code is None or error.code < 400:
        return make_response(error.get_response())
    # An unknown host has no addresses, so a page with links cannot be rendered for it.
    if isinstance(error, SecurityError) or request.path.startswith("/api/"):
        response = jsonify(error=error.description or error.name)
        response.status_code = error.code
    else:
        response = error_page(error.code)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


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
    return _build_file_response(
        content, "application/pdf", f"inline; filename*=UTF-8''{quote(file_name)}"
    )


def file_answer(content: bytes, media_type: str, file_name: str) -> Response:
    """Return a file as a download; the browser does not show it inline."""
    return _build_file_response(
        content, media_type, f"attachment; filename*=UTF-8''{quote(file_name)}"
    )


def bank_file_answer(file_name: str, content: bytes) -> Response:
    """Return a file for a bank unchanged, as a download; its name must be ASCII."""
    return _build_file_response(
        content, "application/octet-stream", f'attachment; filename="{file_name}"'
    )


def _build_file_response(content: bytes, media_type: str, disposition: str) -> Response:
    headers = {
        "Content-Type": media_type,
        "Content-Disposition": disposition,
        "Cache-Control": "no-store",
    }
    return Response(content, headers=headers)


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
# Nothing of a page asks for these; a script that came in by a hole could not either.
_NO_DEVICES = ", ".join(
    f"{device}=()"
    for device in (
        *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid"),
        *("idle-detection", "magnetometer", "microphone", "midi", "payment", "screen-wake-lock"),
        *("serial", "usb", "xr-spatial-tracking"),
    )
)


def add_security_headers(app: Flask, settings: Settings) -> None:
    """Add the headers; one that a view set itself, for a stricter page, is kept."""
    of_pages, of_others = _headers_of(True, settings), _headers_of(False, settings)

    @app.after_request
    def add_headers(response: Response) -> Response:
        wanted = of_pages if response.mimetype == "text/html" else of_others
        for name, value in wanted.items():
            response.headers.setdefault(name, value)
        return response


def _headers_of(is_page: bool, settings: Settings) -> dict[str, str]:
    headers = {
        "Content-Security-Policy": _PAGE_POLICY if is_page else _OTHER_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }
    if is_page:
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
        headers["Permissions-Policy"] = _NO_DEVICES
    if settings.has_secure_cookies:
        below = "; includeSubDomains" if settings.hsts_subdomains else ""
        headers["Strict-Transport-Security"] = f"{_TWO_YEARS}{below}"
    return headers


_OWN_SITES: Final = frozenset({"same-origin", "none"})


def compress_pages(app: Flask) -> None:
    """Compress pages as the last step; call it before other hooks, since Flask runs them backwards.

    Answers of the API, assets and files are compressed where they are made, or not at all.

    Compression must not leak the form token. An eavesdropper on an encrypted connection sees how
    long an answer is. If they could also make a victim's browser request pages with guesses in the
    address, the lengths of compressed pages would reveal the token letter by letter (BREACH). So a
    page is compressed only when its own site requested it, or the reader by typing the address or
    by a bookmark; `Sec-Fetch-Site` says so.
    """
    app.config.update(
        COMPRESS_REGISTER=False,
        COMPRESS_MIMETYPES=["text/html"],
        COMPRESS_ALGORITHM=["zstd", "br", "gzip"],
    )
    packing = Compress(app)

    @app.after_request
    def compress_page(response: Response) -> Response:
        if response.mimetype != "text/html" or response.is_streamed or not _is_asked_from_here():
            return response
        packed: Response = packing.after_request(response)
        return packed


def _is_asked_from_here() -> bool:
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in _OWN_SITES
    # Without encryption length is no secret; programs send neither this header nor cookies.
    return not (request.is_secure and request.cookies)


_COME_BACK_SECONDS: Final = {
    Failure.CONFLICT: 1,
    Failure.LOCKED: 5,
    Failure.AWAY: 10,
    Failure.UNWRITABLE: 60,
}
_FAILURE_TEXTS: Final = {
    Failure.CONFLICT: "Others are writing the same at this moment. Please try again.",
    Failure.LOCKED: "Another change is still being saved. Please try again.",
    Failure.AWAY: "The database cannot be reached at this moment. Please try again.",
    Failure.UNWRITABLE: "Nothing can be saved: the disk is full or may only be read. Reading works.",
}
_NO_ROOM: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


def _answer_failure(error: Exception) -> Response:
    """Answer 503 when the database is away or locked or the disk is full; raise any other error."""
    if isinstance(error, OSError):
        failure = Failure.UNWRITABLE if error.errno in _NO_ROOM else None
    else:
        failure = failure_of(error)
    if failure is None:
        raise error
    if request.path.startswith("/api/"):
        response = jsonify(error=_FAILURE_TEXTS[failure])
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
        response.headers["Cache-Control"] = "no-store"
    else:
        # Without it the dashboard's frame is not shown, which would query the database.
        g.pop("current_member", None)
        response = error_page(HTTPStatus.SERVICE_UNAVAILABLE, kind=failure.value)
    response.headers["Retry-After"] = str(_COME_BACK_SECONDS[failure])
    return response
