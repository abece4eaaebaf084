"""The places of a contract's template: `{{resident.name}}` and nothing else; no code, no nesting."""

import re
from collections.abc import Callable, Collection
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


def escaped(value: str) -> str:
    """A value as plain words of a Markdown text: one line, its marks without meaning."""
    return _MARKUP.sub(r"\\\1", " ".join(value.split()))
