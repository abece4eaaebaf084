"""Templates: compiled once, their fixed texts looked up once a language, and filters for elements.

Flask-Babel looks up the catalogue for each text: on a page of cards that takes as long as all the
rest of the page.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from functools import lru_cache
from typing import Final

from flask import Flask
from flask_babel import force_locale, get_locale, get_translations
from jinja2 import FileSystemBytecodeCache, pass_eval_context
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

from pms.foundation.settings import Settings
from pms.surfaces.components import TemplateComponents

_MOST_KEPT: Final = 4096
_BREAK_IN_TEXT: Final = re.compile(r"[ \t]*\n[ \t\n]*(?=[^ \t\n<])")
_BREAK_BEFORE_TAG: Final = re.compile(r"[ \t]*\n[ \t\n]*")
_LANGUAGE: Final[ContextVar[str | None]] = ContextVar("language_of_page", default=None)


class Unindented(Extension):
    """Leaves the indentation of templates out of pages, of which it would be a third.

    Before a tag a line break stays. Elsewhere, as between the attributes of a tag, it is a space.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Return the tokens of a template that is being compiled."""
        for token in stream:
            if token.type == "data":
                text = _BREAK_IN_TEXT.sub(" ", token.value)
                yield Token(token.lineno, token.type, _BREAK_BEFORE_TAG.sub("\n", text))
            else:
                yield token


def install(app: Flask) -> None:
    """Give templates `ui`, `_()`, `gettext()`, `pgettext()` and the filters `as_attributes` and `qr`.

    Called after Flask-Babel set its own.
    """
    app.jinja_env.globals.update(
        {"_": _translate_text, "gettext": _translate_text, "pgettext": _translate_text_in_context}
    )
    # A page of a tenancy always shows the same code, and to make one takes 15 ms. Codes that views
    # make, as the secret of a second factor, are not kept.
    app.jinja_env.filters.update(as_attributes=as_attributes, qr=lru_cache(256)(qr_picture))
    app.jinja_env.add_extension(Unindented)
    app.jinja_env.globals["ui"] = TemplateComponents(app.jinja_env)


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


def qr_picture(text: str) -> str:
    """Return a data URI of the text's QR code, dark on white in every theme."""
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


@contextmanager
def language_asked_once() -> Iterator[None]:
    """Keep the language of the first text for all texts rendered in this block.

    A page has some hundred texts. No other language can be forced inside.
    """
    token = _LANGUAGE.set(language_of_page())
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def language_of_page() -> str:
    """Return the current language: the reader's, or the one forced for a block of code."""
    language = _LANGUAGE.get()
    if language is not None:
        return language
    locale = get_locale()
    return locale.language if locale else ""  # without an application there is no reader


def gettext(text: str, /, **values: object) -> str:
    """Return a translated text filled with its values, as plain text for a view."""
    return _find_pattern(language_of_page(), False, None, text) % values


@pass_eval_context
def _translate_text(how: EvalContext, text: str, /, **values: object) -> str:
    if values:
        return _find_pattern(language_of_page(), how.autoescape, None, text) % values
    return _fixed_text(language_of_page(), how.autoescape, None, text)


@pass_eval_context
def _translate_text_in_context(how: EvalContext, about: str, text: str, /, **values: object) -> str:
    if values:
        return _find_pattern(language_of_page(), how.autoescape, about, text) % values
    return _fixed_text(language_of_page(), how.autoescape, about, text)


@lru_cache(maxsize=_MOST_KEPT)
def _fixed_text(language: str, is_page: bool, about: str | None, text: str) -> str:
    # A text without values is a pattern too: its percent signs are doubled.
    return _find_pattern(language, is_page, about, text) % {}


@lru_cache(maxsize=_MOST_KEPT)
def _find_pattern(language: str, is_page: bool, about: str | None, text: str) -> str:
    # What is kept under a language is of that language, whatever is forced at the moment.
    with force_locale(language) if language else nullcontext():
        translations = get_translations()
    found = translations.ugettext(text) if about is None else translations.upgettext(about, text)
    return Markup(found) if is_page else str(found)
