"""Texts of the catalogues in a language that is named: for mails, files, labels that are stored.

Pages use Flask-Babel, which knows the language of the reader; both read the same catalogues. Values
are filled in by `str.format`, one in both languages in the language of the text.
"""

from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations, translation
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from pms.foundation.phrases import Bilingual

CATALOGUES: Final = Path(__file__).parents[1] / "translations"
_Key = TypeVar("_Key")


def translate(text: str, language: str, context: str | None = None, /, **values: object) -> str:
    """Return a text in Japanese for `ja`, else in English, with its values; the key is English.

    `context` tells apart texts that are the same in English only.
    """
    language = "ja" if language == "ja" else "en"
    catalogue = _load_catalogue(language)
    wording = catalogue.pgettext(context, text) if context else catalogue.gettext(text)
    if not values:
        return wording
    return wording.format(
        **{
            name: value.in_language(language) if isinstance(value, Bilingual) else value
            for name, value in values.items()
        }
    )


def translate_both(text: str, context: str | None = None, /, **values: object) -> Bilingual:
    """Return a text in both languages, for what keeps or prints both."""
    return Bilingual(
        translate(text, "ja", context, **values), translate(text, "en", context, **values)
    )


def deferred_texts(table: Mapping[_Key, str], context: str | None = None, /) -> Mapping[_Key, str]:
    """Return a table of texts for `translate` as it is; the catalogues get the texts from here.

    `context` is the one with which they are translated.
    """
    return MappingProxyType(table)


@cache
def _load_catalogue(language: str) -> GNUTranslations:
    return translation("messages", CATALOGUES, [language])
