"""Modules say what they are for, carry a word of the trade as a name, and lie where they belong."""

import ast
import re
from collections.abc import Iterable, Iterator

import pytest

from tests.architecture.source_tree import Finding, Source, file_paths, listed, python_sources

EMPTY_WORDS = {"util", "utils", "helper", "helpers", "common", "manager", "service", "core"} | {
    "base",
    "misc",
}
OPENING = re.compile(r'"""(?:[^"\\]|"(?!""))*"""$', re.MULTILINE)
NAMED_BY_LIBRARIES = {"_value", "Meta"}
"""What WTForms calls or reads by this name."""
TOP_FOLDERS = {"pms", "templates", "static", "migrations", "tests", "docs", ".ci"}
TOP_FILES = re.compile(
    r"app\.py|wsgi\.py|pyproject\.toml|requirements[\w-]*\.txt|uv\.lock|README(\.\w+)?|Makefile"
    r"|CHANGELOG(\.\w+)?|CONTRIBUTING\.md|LICENSE(\.\w+)?|Dockerfile|compose\.yaml|\.[\w.-]+"
)


def misplaced(paths: Iterable[str]) -> Iterator[Finding]:
    for path in paths:
        first, _, rest = path.partition("/")
        if first not in TOP_FOLDERS if rest else not TOP_FILES.fullmatch(first):
            yield Finding(path, 0, "has no place at the top of the repository")


def empty_names(paths: Iterable[str]) -> Iterator[Finding]:
    for path in paths:
        words = {word for part in path.split("/") for word in re.split(r"[_.]", part)}
        if path.endswith(".py") and words & EMPTY_WORDS:
            yield Finding(path, 0, "is named by a word that says nothing")


def silent_modules(source: Source) -> Iterator[Finding]:
    said = opening_text(source).split("\n\n")[0]
    if not said:
        yield Finding(source.path, 1, "does not say what it is for")
    elif not re.fullmatch(r"[^a-z].*[.?!]", said, re.DOTALL):
        yield Finding(source.path, 1, "begins with something that is not a sentence")


def short_private_names(source: Source) -> Iterator[Finding]:
    """A private function has a verb and its noun; what a library calls by its name is excused."""
    functions = (node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef))
    for node in functions:
        if re.fullmatch(r"_[a-z]+", node.name) and node.name not in NAMED_BY_LIBRARIES:
            yield Finding(source.path, node.lineno, f"names a function {node.name} by one word")


def shared_class_names(sources: Iterable[Source]) -> Iterator[Finding]:
    """A public class has a name that no other module uses."""
    home: dict[str, str] = {}
    for source in sources:
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                if node.name in NAMED_BY_LIBRARIES:
                    continue
                if home.setdefault(node.name, source.path) != source.path:
                    what = f"names a class {node.name} as {home[node.name]} does"
                    yield Finding(source.path, node.lineno, what)


def opening_text(source: Source) -> str:
    """The docstring of a module; to parse its first string alone is quicker than the whole."""
    first = OPENING.match(source.text)
    tree = ast.parse(first[0]) if first else source.tree
    return ast.get_docstring(tree) or ""


def test_every_module_starts_with_a_sentence_that_says_what_it_is_for() -> None:
    generated = ("migrations/versions/",)
    sources = [s for s in python_sources() if not s.path.startswith(generated)]
    assert not listed([finding for source in sources for finding in silent_modules(source)])


def test_no_module_is_named_by_a_word_that_says_nothing() -> None:
    assert not listed(empty_names(file_paths()))


def test_a_private_function_is_named_by_a_verb_and_its_noun() -> None:
    assert not listed(
        finding for source in python_sources("pms/") for finding in short_private_names(source)
    )


def test_no_two_modules_name_a_public_class_alike() -> None:
    assert not listed(shared_class_names(python_sources("pms/")))


def test_a_planted_short_name_and_a_planted_namesake_are_found() -> None:
    one = Source("pms/a.py", "class Part: ...\ndef _read(): ...\ndef _read_part(): ...\n")
    two = Source("pms/b.py", "class Part: ...\n")
    assert [finding.line for finding in short_private_names(one)] == [2]
    assert [finding.path for finding in shared_class_names([one, two])] == ["pms/b.py"]


def test_nothing_strange_lies_at_the_top() -> None:
    assert not listed(misplaced(file_paths()))


@pytest.mark.parametrize("path", ["pms/catalogue/utils.py", "pms/common/days.py", "pms/base.py"])
def test_a_planted_empty_name_is_found(path: str) -> None:
    assert list(empty_names([path]))


def test_services_of_a_site_are_a_word_of_the_trade() -> None:
    assert not list(empty_names(["pms/site/services.py", "pms/surfaces/agent_api/database.py"]))


@pytest.mark.parametrize("path", ["notes.md", "scratch.py", "scripts/run.sh", "data/units.csv"])
def test_a_planted_stray_is_found(path: str) -> None:
    assert list(misplaced([path]))


@pytest.mark.parametrize("path", ["app.py", "requirements-dev.txt", ".gitignore", ".ci/run"])
def test_what_belongs_at_the_top_is_left_alone(path: str) -> None:
    assert not list(misplaced([path]))


@pytest.mark.parametrize("text", ["", "import os", '"""lower case and no stop"""'])
def test_a_planted_silent_module_is_found(text: str) -> None:
    assert list(silent_modules(Source("pms/catalogue/slugs.py", text)))
