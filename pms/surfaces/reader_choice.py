"""What a reader chose for the pages: language and theme."""

from pathlib import Path
from urllib.parse import quote, urlencode

from flask import Flask, Response, current_app, g, request
from flask_babel import Babel, refresh

from pms.foundation.settings import Settings

LANGUAGES = {"ja": "日本語", "en": "English"}
THEMES = ("auto", "light", "dark")
_CHOICES = (("lang", frozenset(LANGUAGES)), ("theme", frozenset(THEMES)))
_RECORD_LANGUAGE = "record_language"
_CHOSEN = "pms.chosen_language"
_DEFAULT_LANGUAGE = "en"
_YEAR_SECONDS = 365 * 24 * 60 * 60
_CATALOGUES = Path(__file__).parents[1] / "translations"


def chosen_language() -> str:
    """Return the language: requested, else saved, the record's, the browser's, English."""
    # Called for every text and day of a page; only a record loaded meanwhile changes the result.
    record, environ = g.get(_RECORD_LANGUAGE), request.environ
    known: tuple[str | None, str] | None = environ.get(_CHOSEN)
    if known is None or known[0] != record:
        known = environ[_CHOSEN] = record, _chosen_language(record)
    return known[1]


def _chosen_language(record: str | None) -> str:
    asked, saved = request.args.get("lang"), request.cookies.get("lang")
    for choice in (asked, saved, record):
        if choice in LANGUAGES:
            return choice
    # The browser's languages, most wanted first; "en-GB" counts as "en".
    browser_languages = (
        name.partition("-")[0].lower() for name, quality in request.accept_languages if quality > 0
    )
    return next(filter(LANGUAGES.__contains__, browser_languages), _DEFAULT_LANGUAGE)


def speak_as_record(language: str) -> None:
    """Use the language of the request's record, unless the reader chose one."""
    setattr(g, _RECORD_LANGUAGE, language)
    refresh()


def chosen_theme() -> str:
    """Return the theme: requested, else saved, else "auto", which follows the device."""
    for choice in (request.args.get("theme"), request.cookies.get("theme")):
        if choice in THEMES:
            return choice
    return "auto"


def asks_for_something() -> bool:
    """Whether the address has parameters other than language and theme."""
    return not request.args.keys() <= {"lang", "theme"}


def page_path() -> str:
    """Return the path of the current page; of an address that only takes forms, the page above it."""
    path = request.path
    if request.method in {"GET", "HEAD"}:
        return path
    adapter = current_app.create_url_adapter(request)
    if adapter is None:
        return path
    while path.strip("/") and "GET" not in adapter.allowed_methods(path):
        path = path.rstrip("/").rpartition("/")[0]
    return path or "/"


def this_page_with(**choice: str | int) -> str:
    """Return the address of the current page with one choice replaced and everything else kept.

    A page that a refused form shows again links to addresses that can be opened.
    """
    path = quote(page_path().lstrip("/"))  # never "//": that would name another host
    made = {"lang", "theme", *choice}
    kept = [pair for pair in request.args.items(multi=True) if pair[0] not in made]
    return f"{request.script_root}/{path}?{urlencode([*kept, *choice.items()], errors='replace')}"


def install(app: Flask, settings: Settings) -> None:
    """Give templates the reader's choices, and save the ones just made in cookies."""
    app.config.setdefault("BABEL_TRANSLATION_DIRECTORIES", str(_CATALOGUES))
    app.config.setdefault("BABEL_DEFAULT_TIMEZONE", "Asia/Tokyo")
    Babel(app, locale_selector=chosen_language)
    app.jinja_env.globals.update(
        languages=LANGUAGES,
        chosen_language=chosen_language,
        chosen_theme=chosen_theme,
        this_page_with=this_page_with,
        asks_for_something=asks_for_something,
    )

    @app.after_request
    def remember_choices(response: Response) -> Response:
        if response.mimetype == "text/html":
            for name, allowed in _CHOICES:
                choice = request.args.get(name, "")
                if choice in allowed:
                    response.set_cookie(
                        name,
                        choice,
                        max_age=_YEAR_SECONDS,
                        secure=settings.has_secure_cookies,
                        httponly=True,
                        samesite="Lax",
                    )
        return response
