"""What every page-giving surface shares: whole pages, error pages, what an answer varies by."""

from flask import Flask, Response, g, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException, SecurityError

from pms.foundation.settings import Settings
from pms.surfaces import assets, reader_choice

HTML = "text/html"
MARKDOWN = "text/markdown"
_EXPLAINED = (400, 403, 404, 405, 429, 500)
_ERROR_PAGE = "errors/page.html"


def install(app: Flask, settings: Settings) -> None:
    """Give the application its languages, assets and error pages."""
    app.config["BASE_URL"] = settings.base_url
    reader_choice.install(app, settings)
    assets.install(app)
    app.register_error_handler(HTTPException, _answer_error)


def page(template: str, **shown: object) -> Response:
    """A whole page in the reader's language and light."""
    return vary_by_reader(make_response(render_template(template, **shown)))


def vary_by_reader(response: Response) -> Response:
    """Say that the answer depends on the languages and the saved choices of the reader."""
    response.vary.update(("Accept-Language", "Cookie"))
    response.headers.setdefault("Cache-Control", "private, no-cache")
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


def error_page(status: int) -> Response:
    """The page for an error: what happened, what to do next, and the number of the request."""
    kind = status if status in _EXPLAINED else (500 if status >= 500 else 400)
    response = page(_ERROR_PAGE, kind=kind, status=status, request_id=g.get("request_id"))
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
