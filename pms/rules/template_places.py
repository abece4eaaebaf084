"""The placeholders of a template, such as `{{resident.name}}`; no code, no nesting."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

_PLACE: Final = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]()<>#+\-=.!|~&])")
_LEFT_OVER: Final = re.compile(r"\{\{|\}\}")


def unknown_places(template: str, known: Collection[str]) -> tuple[str, ...]:
    """The unknown placeholders of a template, each once, including stray pairs of braces."""
    unknown = [name for name in _PLACE.findall(template) if name not in known]
    unknown += _LEFT_OVER.findall(_PLACE.sub("", template))
    return tuple(dict.fromkeys(unknown))


def fill_places(template: str, value_of: Callable[[str], str]) -> str:
    """Fill the placeholders of a template once: a value is shown and never interpreted."""
    return _PLACE.sub(lambda found: escape_markdown(value_of(found[1])), template)


def fill_plainly(template: str, values: Mapping[str, str | None]) -> str:
    """Fill the placeholders once, for a text that is not Markdown.

    A placeholder without a value is left in place, so that the sender sees what is missing.
    """
    return _PLACE.sub(lambda found: values.get(found[1]) or found[0], template)


def open_places(text: str, known: Collection[str]) -> tuple[str, ...]:
    """The unfilled placeholders of a text, each once."""
    return tuple(dict.fromkeys(name for name in _PLACE.findall(text) if name in known))


def escape_markdown(value: str) -> str:
    """A value as plain text within Markdown: one line, markup escaped."""
    return _MARKUP.sub(r"\\\1", " ".join(value.split()))
