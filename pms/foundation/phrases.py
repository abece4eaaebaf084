"""Sentences with placeholders, kept apart from their values so that they can be translated."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from string import Formatter
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from pms.rules.unit_words import is_japanese


class Bilingual(NamedTuple):
    """One text in both languages; a missing one falls back to the other."""

    ja: str | None
    en: str | None

    def in_language(self, locale: str) -> str | None:
        """Return the text in a language, else in the other; `None` when both are missing."""
        first, second = (self.ja, self.en) if locale == "ja" else (self.en, self.ja)
        return first or second

    def lang(self, locale: str) -> str | None:
        """Return the language of the text returned, where it is not the reader's.

        A text of letters, digits and signs alone, such as the name Maison K, belongs to every
        language.
        """
        text = self.in_language(locale)
        if not text:
            return None
        if locale == "ja":
            return "en" if not self.ja and not is_japanese(text) else None
        return "ja" if is_japanese(text) else None


Value: TypeAlias = (
    "str | int | Decimal | date | datetime | Bilingual | Phrase | Joined | None"  # StrEnum is str
)
Bond = Literal["and", "or", "comma"]

_BONDS: Final[Mapping[Bond, str]] = {"and": " and ", "or": " or ", "comma": ", "}


class Phrase:
    """A part of a sentence that is itself translated."""

    def __init__(self, template: str, /, **values: Value) -> None:
        self.template = template
        self.values: Mapping[str, Value] = values

    def __str__(self) -> str:
        return fill_template(self.template, self.values)


def as_phrase(template: str, values: Mapping[str, Value]) -> Phrase:
    """Return a template from elsewhere, with its values, as a part of another sentence."""
    return Phrase(template, **values)


def stored_phrase(phrase: Phrase) -> dict[str, Any]:
    """Return a phrase as JSON data, to be shown later in the language of whoever reads it.

    Days stay days and phrases phrases; other values that JSON lacks are stored as their text.
    """
    values = {name: _store_value(value) for name, value in phrase.values.items()}
    return {"template": phrase.template, "values": values}


def phrase_of(stored: Mapping[str, Any]) -> Phrase:
    """Return the phrase that `stored_phrase` gave."""
    return Phrase(
        stored["template"],
        **{name: _restore_value(value) for name, value in stored["values"].items()},
    )


def _store_value(value: Value) -> Any:
    if isinstance(value, Phrase):
        return stored_phrase(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        return {"day": value.isoformat()}
    return value if isinstance(value, int | None) else str(value)


def _restore_value(value: Any) -> Value:
    if not isinstance(value, dict):
        return cast("Value", value)
    return date.fromisoformat(value["day"]) if "day" in value else phrase_of(value)


class Actor(str):
    """An actor as rows store it; pages show the person's name."""


class Joined(tuple["Value", ...]):
    """Several values joined in one sentence: a and b, a or b, a, b."""

    bond: Bond

    def __str__(self) -> str:
        return self.join(map(str, self))

    def join(self, parts: Iterable[str]) -> str:
        """Return the formatted parts joined in English."""
        return _BONDS[self.bond].join(parts)


def all_of(parts: Iterable[Value]) -> Joined:
    """Return the values joined by "and": a and b."""
    return _join_parts(parts, "and")


def any_of(parts: Iterable[Value]) -> Joined:
    """Return the values joined by "or": a or b."""
    return _join_parts(parts, "or")


def join_with_commas(parts: Iterable[Value]) -> Joined:
    """Return the values joined by commas: a, b."""
    return _join_parts(parts, "comma")


def fill_template(template: str, values: Mapping[str, Value]) -> str:
    """Return the formatted English sentence; a template without values is returned as it is."""
    return _Plain().vformat(template, (), values) if values else template


class _Plain(Formatter):
    """Formats values for programs: days and instants in ISO form, numbers without grouping."""

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, datetime) and not format_spec:
            return value.isoformat()
        return str(super().format_field(value, format_spec))


def _join_parts(parts: Iterable[Value], bond: Bond) -> Joined:
    joined = Joined(parts)
    joined.bond = bond
    return joined
