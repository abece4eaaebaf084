"""The places of a template, such as `{{resident.name}}`, and nothing else; no code, no nesting."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

_PLACE: Final = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]()<>#+\-=.!|~&])")
_LEFT_OVER: Final = re.compile(r"\{\{|\}\}")


def unknown_places(template: str, known: Collection[str]) -> tuple[str, ...]:
    """The places of a template that nobody fills, each once; a stray pair of braces is one too."""
    unknown = [name for name in _PLACE.findall(template) if name not in known]
    unknown += _LEFT_OVER.findall(_PLACE.sub("", template))
    return tuple(dict.fromkeys(unknown))


def fill_places(template: str, value_of: Callable[[str], str]) -> str:
    """The template with its places filled once: what a value holds is shown, never obeyed."""
    return _PLACE.sub(lambda found: escaped(value_of(found[1])), template)


def fill_plainly(template: str, values: Mapping[str, str | None]) -> str:
    """The template with its places filled once, for a text that is no Markdown.

    A place whose value is not known stays as it is, so that whoever sends it sees what is missing.
    """
    return _PLACE.sub(lambda found: values.get(found[1]) or found[0], template)


def open_places(text: str, known: Collection[str]) -> tuple[str, ...]:
    """The places of a text that stand there unfilled, each once."""
    return tuple(dict.fromkeys(name for name in _PLACE.findall(text) if name in known))


def escaped(value: str) -> str:
    """A value as plain words of a Markdown text: one line, its marks without meaning."""
    return _MARKUP.sub(r"\\\1", " ".join(value.split()))
