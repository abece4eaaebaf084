"""Translate the fixed texts of pages; each is looked up once for each language.

Flask-Babel looks up the catalogue for each text: on a page of cards that takes as long as all the
rest of the page.
"""

from functools import lru_cache
from typing import Final

from flask import Flask
from flask_babel import get_locale, get_translations
from jinja2 import pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup

_MOST_KEPT: Final = 4096


def install(app: Flask) -> None:
    """Give templates `_()`, `gettext()` and `pgettext()`; called after Flask-Babel set its own."""
    app.jinja_env.globals.update({"_": _gettext, "gettext": _gettext, "pgettext": _pgettext})


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
    return _fixed(language_of_page(), how.autoescape, None, text)


@pass_eval_context
def _pgettext(how: EvalContext, about: str, text: str, /, **values: object) -> str:
    if values:
        return _pattern(language_of_page(), how.autoescape, about, text) % values
    return _fixed(language_of_page(), how.autoescape, about, text)


@lru_cache(maxsize=_MOST_KEPT)
def _fixed(language: str, is_page: bool, about: str | None, text: str) -> str:
    # A text without values is a pattern too: its percent signs are doubled.
    return _pattern(language, is_page, about, text) % {}


@lru_cache(maxsize=_MOST_KEPT)
def _pattern(_language: str, is_page: bool, about: str | None, text: str) -> str:
    translations = get_translations()
    found = translations.ugettext(text) if about is None else translations.upgettext(about, text)
    return Markup(found) if is_page else str(found)
