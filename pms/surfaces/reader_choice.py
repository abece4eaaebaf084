"""What a reader chose for the pages, language and theme, and the texts of templates in that language."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

from flask import Flask, Response, g, request
from flask_babel import Babel, get_locale, get_translations, refresh
from jinja2 import FileSystemBytecodeCache, pass_eval_context
from jinja2.bccache import Bucket
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

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
    return next(filter(LANGUAGES.__contains__, _browser_languages()), _DEFAULT_LANGUAGE)


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


def this_page_with(**choice: str | int) -> str:
    """Return the address of the current page with one choice replaced and everything else kept."""
    path = quote(request.path.lstrip("/"))  # never "//": that would name another host
    made = {"lang", "theme", *choice}
    kept = [pair for pair in request.args.items(multi=True) if pair[0] not in made]
    return f"{request.script_root}/{path}?{urlencode([*kept, *choice.items()], errors='replace')}"


def install(app: Flask, settings: Settings) -> None:
    """Give templates the reader's choices and texts; save the choices just made in cookies.

    Templates get `_()`, `gettext()` and `pgettext()` in place of Flask-Babel's, which look up the
    catalogue for each text: on a page of cards that takes as long as all the rest of the page.
    """
    app.config.setdefault("BABEL_TRANSLATION_DIRECTORIES", str(_CATALOGUES))
    app.config.setdefault("BABEL_DEFAULT_TIMEZONE", "Asia/Tokyo")
    Babel(app, locale_selector=chosen_language)
    app.jinja_env.globals.update(
        languages=LANGUAGES,
        chosen_language=chosen_language,
        chosen_theme=chosen_theme,
        this_page_with=this_page_with,
        asks_for_something=asks_for_something,
        _=_gettext,
        gettext=_gettext,
        pgettext=_pgettext,
    )
    app.jinja_env.filters.update(as_attributes=as_attributes, qr=qr_picture)

    @app.after_request
    def remember_choices(response: Response) -> Response:
        if response.mimetype == "text/html":
            for name, allowed in _CHOICES:
                choice = request.args.get(name, "")
                if choice in allowed:
                    _remember(response, name, choice, settings)
        return response


def _browser_languages() -> Iterator[str]:
    """Return the browser's languages, most wanted first; "en-GB" counts as "en"."""
    for name, quality in request.accept_languages:
        if quality > 0:
            yield name.partition("-")[0].lower()


def _remember(response: Response, name: str, choice: str, settings: Settings) -> None:
    response.set_cookie(
        name,
        choice,
        max_age=_YEAR_SECONDS,
        secure=settings.has_secure_cookies,
        httponly=True,
        samesite="Lax",
    )


class KeptTemplates(FileSystemBytecodeCache):
    """A bytecode cache shared by all workers and starts; a changed template is recompiled."""

    def __init__(self, settings: Settings) -> None:
        folder = settings.data_dir / "templates"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(str(folder))

    def dump_bytecode(self, bucket: Bucket) -> None:
        # If the disk is full, the template is compiled again later; the page is still shown.
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compile_templates(app: Flask) -> None:
    """Compile every template, so that the first visit of a page does not wait for it."""
    for name in app.jinja_env.list_templates(extensions=["html"]):
        app.jinja_env.get_template(name)


@lru_cache(maxsize=256)
def qr_picture(text: str) -> str:
    """Return a data URI of the text's QR code, dark on white in every theme.

    To make one takes 15 ms, and a resident's first page always shows the same.
    """
    # Imported here: most pages show no QR code.
    import segno

    return str(segno.make(text, error="m").svg_data_uri(scale=5, border=4, light="#fff"))


def as_attributes(given: Mapping[str, object]) -> Markup:
    """Return an element's attributes; `True` has no value, `False` and None are omitted."""
    attributes = [
        f' {escape(name.replace("_", "-"))}="{escape("" if value is True else value)}"'
        for name, value in given.items()
        if value is not None and value is not False
    ]
    return Markup("".join(attributes))


_MOST_KEPT: Final = 4096


def language_of_page() -> str:
    """Return the current language: the reader's, or the one forced for a block of code."""
    locale = get_locale()
    return locale.language if locale else ""  # without an application there is no reader


def gettext(text: str, /, **values: object) -> str:
    """Return a translated text filled with its values, as plain text for a view."""
    return _pattern(language_of_page(), False, None, text) % values


@pass_eval_context
def _gettext(how: EvalContext, text: str, /, **values: object) -> str:
    if values:
        return _pattern(language_of_page(), how.autoescape, None, text) % values
    return _fixed_text(language_of_page(), how.autoescape, None, text)


@pass_eval_context
def _pgettext(how: EvalContext, about: str, text: str, /, **values: object) -> str:
    if values:
        return _pattern(language_of_page(), how.autoescape, about, text) % values
    return _fixed_text(language_of_page(), how.autoescape, about, text)


@lru_cache(maxsize=_MOST_KEPT)
def _fixed_text(language: str, is_page: bool, about: str | None, text: str) -> str:
    # A text without values is a pattern too: its percent signs are doubled.
    return _pattern(language, is_page, about, text) % {}


@lru_cache(maxsize=_MOST_KEPT)
def _pattern(_language: str, is_page: bool, about: str | None, text: str) -> str:
    translations = get_translations()
    found = translations.ugettext(text) if about is None else translations.upgettext(about, text)
    return Markup(found) if is_page else str(found)
