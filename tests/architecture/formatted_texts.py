"""Finds texts for people inside f-strings, where the extraction of texts does not see them."""

import ast
from collections.abc import Iterator

from tests.architecture.source_tree import Finding, Source
from tests.architecture.translations import KEYWORDS


def texts_in_f_strings(source: Source) -> Iterator[Finding]:
    """The calls of `gettext` and its kin within an f-string."""
    if not source.mentions(KEYWORDS):
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.JoinedStr):
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and _name(call.func) in KEYWORDS:
                    yield Finding(
                        source.path, call.lineno, "translates inside an f-string: name it before"
                    )


def _name(called: ast.expr) -> str:
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else ""
