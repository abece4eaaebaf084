"""Translate a refusal into the reader's language and fill in its values."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from string import Formatter
from typing import Final

from babel.dates import format_datetime
from babel.numbers import format_decimal
from flask import current_app, g
from flask_babel import gettext, lazy_gettext

from pms.foundation.errors import Problem
from pms.foundation.mail_texts import MINUS, format_day, format_month
from pms.foundation.phrases import Actor, Bilingual, Joined, Phrase, Value
from pms.rules.days import JAPAN
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.reader_choice import chosen_language

_INSTANT: Final = {"ja": "y年M月d日 HH:mm", "en": "d MMMM y 'at' HH:mm"}
_MONTH: Final = "%Y-%m"
_QUOTED: Final = re.compile(r"'\{(\w+)\}'")
NAMES: Final = "pms.names_of_actors"
"""The key in `extensions` of the function that returns the name of an actor."""
_BONDS: Final = {
    "and": lazy_gettext(" and "),
    "or": lazy_gettext(" or "),
    "comma": lazy_gettext(", "),
}


def refusal_text(problem: Problem, *, with_field: bool = False) -> str:
    """Return the text of a refusal; without the field's name when it is shown beside the field."""
    # Whether the sentence would quote a value that was left empty: '' is not possible.
    named = _QUOTED.findall(problem.template)
    quotes_nothing = any(not str(problem.values.get(name, "?")).strip() for name in named)
    if quotes_nothing:
        missing = (
            gettext("Please fill this in.")
            if problem.field
            else gettext("Something that is needed was left empty. Fill it in and try again.")
        )
        sentence = str(missing)
    elif problem.wording is not None:
        sentence = problem.wording.in_language(chosen_language()) or problem.message
    else:
        sentence = phrase_text(problem.as_part)
    return f"{problem.field}: {sentence}" if with_field and problem.field else sentence


def phrase_text(phrase: Phrase) -> str:
    """Return a phrase as a sentence in the reader's language."""
    text = _word_template(phrase.template, phrase.values)
    return text[:1].upper() + text[1:]


def _word_template(template: str, values: Mapping[str, Value]) -> str:
    wording = gettext(template)
    return _InWords().vformat(wording, (), values) if values else wording


class _InWords(Formatter):
    """Format values for people: days, months, instants, grouped numbers, labels."""

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, date) and not isinstance(value, datetime) and format_spec == _MONTH:
            return format_month(value, chosen_language())
        return _in_words(value)


def _in_words(value: object) -> str:
    language, text = chosen_language(), str(value)
    match value:
        case Phrase():
            text = _word_template(value.template, value.values)
        case Joined():
            text = str(_BONDS[value.bond]).join(map(_in_words, value))
        case Bilingual():
            text = value.in_language(language) or ""
        case Actor():
            # Only the office sees names; others see that it was the office.
            name_of: Callable[[str], str] | None = current_app.extensions.get(NAMES)
            text = name_of(value) if name_of and "current_member" in g else gettext("the office")
        case StrEnum():
            text = _mid_sentence(label_of(value))
        case datetime():
            # One without an offset was typed by a person; it is shown as typed.
            there = value.astimezone(JAPAN) if value.tzinfo else value
            text = format_datetime(there, _INSTANT[language], locale=language)
        case date():
            text = format_day(value, language)
        case int() | Decimal():
            text = format_decimal(value, locale=language).replace("-", MINUS)
    return text


def _mid_sentence(text: str) -> str:
    return text[:1].lower() + text[1:]
