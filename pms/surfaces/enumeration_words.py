"""Says the words of every enumeration in the reader's language, and the tone a state is shown in."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from flask import Flask
from flask_babel import LazyString

from pms.surfaces.bank_labels import WORDS_OF_BANK
from pms.surfaces.catalogue_labels import WORDS_OF_CATALOGUE
from pms.surfaces.channels_labels import WORDS_OF_CHANNELS
from pms.surfaces.failures_labels import failure_words
from pms.surfaces.money_labels import WORDS_OF_MONEY
from pms.surfaces.outsiders_labels import WORDS_OF_OUTSIDERS
from pms.surfaces.page_texts import language_of_page
from pms.surfaces.people_labels import WORDS_OF_PEOPLE
from pms.surfaces.reasons_labels import WORDS_OF_REASONS
from pms.surfaces.reservations_labels import WORDS_OF_RESERVATIONS
from pms.surfaces.tones import TONES, Tone
from pms.surfaces.upkeep_labels import WORDS_OF_UPKEEP

WORDS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    **WORDS_OF_CATALOGUE,
    **WORDS_OF_BANK,
    **WORDS_OF_RESERVATIONS,
    **WORDS_OF_MONEY,
    **WORDS_OF_PEOPLE,
    **WORDS_OF_REASONS,
    **WORDS_OF_UPKEEP,
    **WORDS_OF_OUTSIDERS,
    **WORDS_OF_CHANNELS,
}


def install(app: Flask) -> None:
    """Give templates `state|word`, `state|tone` and `reason|failure_words`."""
    app.jinja_env.filters.update(word=word, tone=tone, failure_words=failure_words)


def word(value: StrEnum) -> str:
    """Return the word of an enumeration's member, as a tag or a choice shows it."""
    return _label(type(value), value, language_of_page())


@lru_cache(maxsize=4096)
def _label(kind: type[StrEnum], value: StrEnum, _language: str) -> str:
    # The same few words stand on every card and in every list.
    return str(WORDS[kind][value])


def choices(words: type[StrEnum]) -> list[tuple[str, str]]:
    """Return an enumeration as a form offers it: each value with its word."""
    return [(member.value, word(member)) for member in words]


def tone(value: StrEnum) -> Tone:
    """Return the kind of tag a state is shown as; what asks for no attention is plain."""
    return TONES.get(type(value), {}).get(value, "plain")
