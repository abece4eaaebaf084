"""The rules need nothing but the standard library, and no clock, chance or environment."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pms.rules

RULES = Path(pms.rules.__file__).parent
CHAPTERS = sorted(RULES.glob("**/*.py"))
OUTSIDE_WORLD = frozenset({"os", "time", "random", "secrets", "socket", "pathlib", "io", "uuid"})


def imported_modules(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import hides where it leads"
            yield node.module or ""


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_imports_the_standard_library_and_other_chapters_only(chapter: Path) -> None:
    for module in imported_modules(chapter.read_text("utf-8")):
        first = module.partition(".")[0]
        assert module.startswith("pms.rules.") or first in sys.stdlib_module_names, module
        assert first not in OUTSIDE_WORLD, f"{module} reaches the outside world"


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_and_its_public_names_say_what_they_are_for(chapter: Path) -> None:
    tree = ast.parse(chapter.read_text("utf-8"))
    assert ast.get_docstring(tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_asks_no_clock(chapter: Path) -> None:
    for node in ast.walk(ast.parse(chapter.read_text("utf-8"))):
        if isinstance(node, ast.Attribute):
            assert node.attr not in {"today", "now", "utcnow", "environ"}


def test_an_import_from_elsewhere_is_seen() -> None:
    source = "import flask\nfrom pms.foundation import db\n"
    assert list(imported_modules(source)) == ["flask", "pms.foundation"]
