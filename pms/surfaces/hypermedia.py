"""What every page-giving surface shares: pages and their blocks, moving on, error pages."""

from typing import Final, NamedTuple
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, flash, g, jsonify, make_response, redirect, request
from flask import render_template as render
from jinja2 import Template
from werkzeug.exceptions import HTTPException, SecurityError

from pms.foundation.settings import Settings
from pms.surfaces import assets, reader_choice


# The head of the template is run first, so that a block finds the macros imported there; the
# library for this renders blocks alone and would have every block import its own.
def render_block(name: str, block: str, **shown: object) -> str:
    """Return a block of a template as the whole page would show it."""
    current_app.update_template_context(shown)
    environment = current_app.jinja_env
    template: Template = environment.get_template(name)
    context = template.new_context(shown)
    try:
        # Up to its first output: imports and `set`s at the top of the page and of its layout.
        head = template.root_render_func(context)
        next(iter(head), None)
        return environment.concat(template.blocks[block](context))
    except Exception:
        environment.handle_exception()


# Only this module reads the headers by which htmx tells what it wants.
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
    """Give the application its languages, assets and error pages."""
    app.config["BASE_URL"] = settings.base_url
    reader_choice.install(app, settings)
    assets.install(app)
    app.register_error_handler(HTTPException, _answer_error)


class Undo(NamedTuple):
    """How the audit event just done is taken back: a form with one button."""

    action: str
    fields: dict[str, str]


def page(template: str, **shown: object) -> Response:
    """A whole page in the reader's language and light."""
    return _page(render(template, **shown), _OF_READER)


def page_or_block(template: str, block: str, **shown: object) -> Response:
    """A whole page, or only one block of it when htmx asks for that part."""
    shows_part = is_part()
    text = render_block(template, block, **shown) if shows_part else render(template, **shown)
    return _page(text, _OF_READER_OR_PART)


def _page(text: str, varies_by: str) -> Response:
    headers = {"Vary": varies_by, "Cache-Control": FOR_READER}
    return Response(text, headers=headers, mimetype=HTML)


def is_part() -> bool:
    """Whether htmx asks, who puts the answer into the page that stands."""
    return request.headers.get(_ASKED_BY_HTMX) == "true"


def go(address: str, message: str | None = None, undo: Undo | None = None) -> Response:
    """Move on to another page, which says what was done and may offer to undo it."""
    if message:
        flash(message, "said")
    if undo:
        flash(undo._asdict(), "undo")  # type: ignore[arg-type]  # any value the session can hold
    if is_part():
        return Response(status=204, headers={"HX-Redirect": address})
    return make_response(redirect(address, 303))


def safe_path(text: str | None) -> str | None:
    """Return an address of this very site, `None` for any other text."""
    if not text or len(text) > _LONGEST_PATH or not text.startswith("/") or not text.isprintable():
        return None
    # Browsers read a backslash as a slash, and two slashes as another host.
    if text.startswith(("//", "/\\")) or "\\" in text.partition("?")[0]:
        return None
    parts = urlsplit(text)
    return None if parts.scheme or parts.netloc else text


def vary_by_reader(response: Response) -> Response:
    """Say that the answer depends on the languages and the saved choices of the reader."""
    response.vary.update(("Accept-Language", "Cookie"))
    response.headers.setdefault("Cache-Control", FOR_READER)
    return response


def prefers_markdown() -> bool:
    """Whether the request would rather have Markdown than HTML.

    The higher quality wins. At equal quality Markdown wins when it is asked for by name: a
    browser never names it, and a program that does so usually adds text/html as a way out.
    """
    accepted = request.accept_mimetypes
    markdown, html = accepted.quality(MARKDOWN), accepted.quality(HTML)
    if markdown != html:
        return markdown > html
    return markdown > 0 and any(name.lower() == MARKDOWN for name in accepted.values())


def error_page(status: int, kind: str | None = None) -> Response:
    """The page for an error: what happened, what to do next, and the number of the request.

    `kind` names words of its own, where several reasons share a status.
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
    # A host that is not served has no addresses, so there is no page with links to show it.
    if isinstance(error, SecurityError) or _is_for_a_program():
        response = jsonify(error=error.description or error.name)
        response.status_code = error.code
    else:
        response = error_page(error.code)
    _keep_headers(error, response)
    return response


def _is_for_a_program() -> bool:
    return request.path.startswith("/api/")


def _keep_headers(error: HTTPException, response: Response) -> None:
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
