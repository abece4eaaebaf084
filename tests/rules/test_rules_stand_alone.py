"""The rules need nothing but the standard library, and no clock, randomness or environment."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pms.rules

RULES = Path(pms.rules.__file__).parent
OUTSIDE_WORLD = frozenset({"os", "time", "random", "secrets", "socket", "pathlib", "io", "uuid"})
CLOCKS = frozenset({"today", "now", "utcnow", "environ"})


@pytest.fixture(scope="module")
def chapters() -> dict[str, ast.Module]:
    """Every module of the rules, parsed, by its path."""
    paths = sorted(RULES.glob("**/*.py"))
    return {str(path.relative_to(RULES)): ast.parse(path.read_text("utf-8")) for path in paths}


def imported_modules(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def foreign_imports(tree: ast.Module) -> list[str]:
    """What a chapter imports beside the standard library and other chapters."""
    return [
        module
        for module in imported_modules(tree)
        if not module.startswith("pms.rules.")
        and (module.partition(".")[0] not in sys.stdlib_module_names - OUTSIDE_WORLD)
    ]


def undescribed(tree: ast.Module) -> list[str]:
    """The public names of a chapter without a docstring, and the chapter itself."""
    public = (
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    )
    names = [node.name for node in public if not ast.get_docstring(node)]
    return names if ast.get_docstring(tree) else ["the chapter", *names]


def clocks_asked(tree: ast.Module) -> list[str]:
    """The attributes of a chapter that are named like a clock or the environment."""
    attributes = (node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return [name for name in attributes if name in CLOCKS]


def test_a_chapter_imports_the_standard_library_and_other_chapters_only(
    chapters: dict[str, ast.Module],
) -> None:
    assert chapters
    found = {path: foreign_imports(tree) for path, tree in chapters.items()}
    assert {path: modules for path, modules in found.items() if modules} == {}


def test_a_chapter_and_its_public_names_say_what_they_are_for(
    chapters: dict[str, ast.Module],
) -> None:
    found = {path: undescribed(tree) for path, tree in chapters.items()}
    assert {path: names for path, names in found.items() if names} == {}


def test_a_chapter_asks_no_clock(chapters: dict[str, ast.Module]) -> None:
    found = {path: clocks_asked(tree) for path, tree in chapters.items()}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("planted", "module"),
    [
        ("import msgspec", "msgspec"),
        ("import flask", "flask"),
        ("from pms.foundation import db", "pms.foundation"),
        ("from pms import rules", "pms"),
        ("from . import days", "."),
        ("import os.path", "os.path"),
        ("def f():\n    from random import choice", "random"),
    ],
)
def test_an_import_from_elsewhere_is_seen(planted: str, module: str) -> None:
    assert foreign_imports(ast.parse(planted)) == [module]


def test_a_chapter_may_quote_other_chapters_and_the_standard_library() -> None:
    quoting = "from datetime import date\nfrom pms.rules.days import day_of"
    assert foreign_imports(ast.parse(quoting)) == []


def test_a_clock_and_a_missing_description_are_seen() -> None:
    tree = ast.parse("def due():\n    return date.today()\n")
    assert clocks_asked(tree) == ["today"]
    assert undescribed(tree) == ["the chapter", "due"]
