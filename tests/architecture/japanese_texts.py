"""Finds Japanese in the program: texts for people belong into the catalogues or into data files."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from tests.architecture.source_tree import Finding, Source

JAPANESE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff01-\uff9f]")
DAY_PATTERN: Final = re.compile(r"[yMdEHm年月日() :]+")
"""How Babel is told to write a day: no text, as the pattern of every other language."""

# Japanese that is read: what people, banks and other programs write, and the titles of files that are
# read back. All rules are of these or hold the words of a file's format.
READ: Final = (
    "pms/rules/",
    "pms/arrivals/rent_roll_imports.py",
    "pms/arrivals/sheets/",
    "pms/arrivals/takeover/",
    "pms/catalogue/checks.py",
    "pms/catalogue/romanising.py",
    "pms/catalogue/slugs.py",
    "pms/contracts/merged_documents.py",
    "pms/foundation/passwords.py",  # words that make a password easy to guess
    "pms/foundation/spreadsheet.py",
    "pms/sheets/grid.py",
    "pms/site/visitor_answers.py",
    "pms/site/visitor_facts.py",
    "pms/surfaces/dashboard/takeover_files.py",
    "pms/surfaces/fields.py",
    "pms/surfaces/reader_choice.py",  # a language by its own name
    "pms/workspaces/settings.py",
)


_KEPT: Final = {"translate", "translate_both", "deferred_texts"}
"""What takes keys of the catalogues; an example of Japanese in one is a part of its English."""


def japanese_texts(source: Source) -> Iterator[Finding]:
    """Each Japanese literal that is neither a description nor a key nor a pattern of days."""
    if not JAPANESE.search(source.text):
        return
    passed = set[int]()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(id(node.value))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in _KEPT:
            passed.update(map(id, ast.walk(node)))
    for node in ast.walk(source.tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in passed
            and JAPANESE.search(node.value)
            and not DAY_PATTERN.fullmatch(node.value)
        ):
            yield Finding(source.path, node.lineno, f"says {node.value[:40]!r} outside gettext")
