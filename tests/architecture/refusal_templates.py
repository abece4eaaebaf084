"""Finds the sentences of refusals in the program, as the catalogues of translations hold them."""

import ast
from collections.abc import Iterator, Set
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from pms.foundation.errors import prefix_of
from tests.architecture.source_tree import ROOT, Finding, Source, python_sources

REFUSALS = {"Collision", "NotFound", "Problem", "Refused", "ScopeLacking", "TooMany"} | {
    "Unauthenticated"
}
# Parts of sentences: these are never led by the name of a field.
PARTS = {"Phrase", "no_such"}
# Texts in a language that is named, and the tables of texts that wait for one.
TRANSLATED = {"translate", "translate_both"}
TABLES = {"deferred_texts"}
# What only programs and operators ever read is said in English alone.
ENGLISH_ALONE = (
    "pms/demo/",
    "pms/foundation/budget/",
    "pms/foundation/phrases.py",
    "pms/surfaces/agent_api/",
    "pms/surfaces/command_line/",
    "pms/surfaces/limits.py",
)


class Sentence(NamedTuple):
    """One sentence of the program, without the name of a field."""

    path: str
    line: int
    text: str
    context: str | None = None


class Place(NamedTuple):
    """A place to fill: the value's name, and how the value is written there."""

    name: str
    written: str


def sentences(root: Path = ROOT) -> Iterator[Sentence]:
    """Every sentence and part of one that a person may be told in their language."""
    for source in _sources(root):
        for call in _calls(source):
            template = _template(call)
            if template is not None:
                yield Sentence(source.path, call.lineno, template.removeprefix(_prefix(call)))
        yield from nouns(source)
    for source in python_sources("pms/", root=root):
        for call in _calls(source, TRANSLATED | TABLES):
            first, context = call.args[0], _context(call)
            for text in first.values if isinstance(first, ast.Dict) else [first]:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield Sentence(source.path, text.lineno, text.value, context)


def nouns(source: Source) -> Iterator[Sentence]:
    """What `locked` calls the rows of each table when it finds none: `noun = "enquiry"`."""
    if not source.path.startswith("pms/") or not source.mentions({"noun"}):
        return
    for table in ast.walk(source.tree):
        for node in table.body if isinstance(table, ast.ClassDef) else ():
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
                node.value, ast.Constant
            ):
                name = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(name, ast.Name) and name.id == "noun":
                    yield Sentence(source.path, node.lineno, str(node.value.value))


def composed(source: Source) -> Iterator[Finding]:
    """Each refusal whose sentence is put together where it is raised: nobody can translate it."""
    for call in _calls(source):
        if _template(call) is None and not _is_noun_of_table(call.args[0]):
            yield Finding(source.path, call.lineno, "refuses with a sentence that is no literal")


def unfilled(source: Source) -> Iterator[Finding]:
    """Each sentence whose places and values are not the same: it would fail, or lose some."""
    for call in _calls(source, REFUSALS | PARTS | TRANSLATED):
        if _name(call) in TRANSLATED and _template(call) is None:
            continue  # a text of a table
        named = {keyword.arg for keyword in call.keywords}
        asked = {place.name for place in places(_template(call) or "")}
        if None not in named and asked != named - {"retry_after_seconds"}:
            yield Finding(source.path, call.lineno, "does not fill its places with its values")


def places(template: str) -> set[Place]:
    """The places of a sentence; text that is no template has none."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError:
        return set()
    return {Place(name, written or "") for _, name, written, _ in parts if name}


def wrong_places(template: str, wording: str) -> bool:
    """Whether a wording names other places; an id, which tells a person nothing, may be left out."""
    asked, named = places(template), places(wording)
    return not {place for place in asked if not _is_id(place.name)} <= named <= asked


def _is_id(name: str) -> bool:
    return name in {"id", "kind", "slug"} or name.endswith("_id")


def sources_of_refusals(root: Path = ROOT) -> list[Source]:
    """The files whose refusals reach people."""
    return list(_sources(root))


def _sources(root: Path) -> Iterator[Source]:
    for path in sorted((root / "pms").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(ENGLISH_ALONE):
            yield Source(name, path.read_text(encoding="utf-8"))


def _calls(source: Source, names: Set[str] = frozenset(REFUSALS | PARTS)) -> Iterator[ast.Call]:
    if not source.mentions(names):
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and node.args and _name(node) in names:
            yield node


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_noun_of_table(thing: ast.expr) -> bool:
    """Whether it is `model.noun`, whose literals stand at the tables."""
    return isinstance(thing, ast.Attribute) and thing.attr == "noun"


def _prefix(call: ast.Call) -> str:
    return "" if _name(call) in PARTS else prefix_of(_template(call) or "")


def _context(call: ast.Call) -> str | None:
    """The context of a text: what `translate` takes third, the others second."""
    context = call.args[2 if _name(call) == "translate" else 1 :]
    return str(context[0].value) if context and isinstance(context[0], ast.Constant) else None


def _template(call: ast.Call) -> str | None:
    first = call.args[0]
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
