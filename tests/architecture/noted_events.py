"""Follows the calls of functions through the program, to tell which of them note an audit event."""

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property

from tests.architecture.source_tree import Finding, Source

NOTES = frozenset(
    f"pms.foundation.audit.{name}"
    for name in ("note_audit_event", "note_change", "note_difference", "set_columns")
)
Function = ast.FunctionDef | ast.ClassDef


class Program:
    """The functions and classes of some modules by their dotted names, and what each calls."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._sources = list(sources)
        self._names: dict[str, dict[str, str]] = {}

    @cached_property
    def functions(self) -> dict[str, tuple[Source, Function]]:
        return {
            f"{_module(source)}.{node.name}": (source, node)
            for source in self._sources
            for node in source.tree.body
            if isinstance(node, Function)
        }

    @cached_property
    def calls(self) -> dict[str, frozenset[str]]:
        return {
            name: frozenset(_called(node, self.names(source)))
            for name, (source, node) in self.functions.items()
        }

    def names(self, source: Source) -> dict[str, str]:
        """What each name of a module stands for, its own functions and what it imports."""
        if source.path not in self._names:
            self._names[source.path] = _names(source)
        return self._names[source.path]

    @cached_property
    def noting(self) -> frozenset[str]:
        """The functions that note an audit event, themselves or by what they call."""
        found = set(NOTES)
        while more := {name for name, calls in self.calls.items() if calls & found} - found:
            found |= more
        return frozenset(found)

    def taking_an_actor(self) -> Iterator[str]:
        """The public functions of modules that are told who acts."""
        for name, (_, node) in self.functions.items():
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                if any(argument.arg in ("actor", "work") for argument in arguments):
                    yield name

    def callers_of(self, name: str) -> set[str]:
        """The functions that call another one."""
        return {caller for caller, calls in self.calls.items() if name in calls}

    def finding(self, name: str, what: str) -> Finding:
        source, node = self.functions[name]
        return Finding(source.path, node.lineno, f"{node.name}: {what}")


def _module(source: Source) -> str:
    return source.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _names(source: Source) -> dict[str, str]:
    names = {
        node.name: f"{_module(source)}.{node.name}"
        for node in source.tree.body
        if isinstance(node, Function)
    }
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def _called(function: Function, names: dict[str, str]) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield names.get(node.func.id, node.func.id)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id in names
        ):
            yield f"{names[node.func.value.id]}.{node.func.attr}"
