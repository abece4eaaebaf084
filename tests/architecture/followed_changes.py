"""Finds the functions that write certain columns, and those of them that forget a call."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.architecture.noted_events import Function, Program
from tests.architecture.source_tree import Finding

EVERY = frozenset({"*"})
_STATEMENTS = {"insert", "update", "delete"}


@dataclass(frozen=True)
class Rule:
    """Who writes one of these columns of these tables calls this function, or its callers do.

    A caller that is `excused` need not, for the reason given. With a `value`, only those count
    that write this member of an enumeration.
    """

    call: str
    writes: Mapping[str, frozenset[str]]
    excused: Mapping[str, str]
    value: str | None = None


def writers(program: Program, rule: Rule) -> set[str]:
    """The functions and classes that write one of the columns themselves."""
    return {name for name in program.functions if any(_writes(program, name, rule))}


def forgetful(program: Program, rule: Rule) -> Iterator[Finding]:
    """Each function that writes, or calls one that does, where nobody on the way up calls."""
    for name in sorted(silent_ends(program.calls, rule, writers(program, rule))):
        yield program.finding(name, f"writes and does not call {rule.call}")


def silent_ends(
    calls: Mapping[str, frozenset[str]], rule: Rule, found: Iterable[str]
) -> Iterator[str]:
    """The ends of the ways up from these writers on which nobody makes the call."""
    waiting, seen = set(found), set[str]()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        if rule.call in calls.get(name, ()) or name in rule.excused:
            continue
        callers = {one for one, called in calls.items() if name in called} - {name}
        if not callers:
            yield name
        waiting |= callers - seen


def _writes(program: Program, name: str, rule: Rule) -> Iterator[bool]:
    source, function = program.functions[name]
    names = program.names(source)
    models = {model: columns for model, columns in rule.writes.items() if model in names.values()}
    if not models:
        return
    kinds, given = _Kinds(program, names, function), _given(function)
    for node in ast.walk(function):
        for receiver, column, value in _written(node):
            is_meant = rule.value is None or rule.value in ast.dump(value)
            for model, columns in models.items():
                kind = kinds.of(receiver)
                if (
                    is_meant
                    and kind in {model, None}
                    and (columns & {column, "*"} or column == "*")
                ):
                    yield True
        if isinstance(node, ast.Call) and rule.value is None:
            columns = models.get(_made(node, names) or "", frozenset[str]())
            yield bool(columns and (columns | {"*"}) & (given.get(id(node)) or columns))


def _given(function: Function) -> dict[int, set[str]]:
    """The columns that statements name by `.values(...)`, by the call that names the table."""
    found: dict[int, set[str]] = {}
    for node in ast.walk(function):
        is_named = isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".values")
        if isinstance(node, ast.Call) and is_named and isinstance(node.func, ast.Attribute):
            columns = {one.arg or "*" for one in node.keywords}
            found |= {id(one): columns for one in ast.walk(node.func.value)}
    return found


def _written(node: ast.AST) -> Iterator[tuple[ast.expr, str, ast.expr]]:
    """What a node assigns: to what, which column, which value; `*` is any column."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(one, ast.Attribute):
                    yield one.value, one.attr, node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "setattr":
            yield node.args[0], "*", node.args[2]
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("session.delete"):
        yield node.args[0], "*", node


def _made(call: ast.Call, names: Mapping[str, str]) -> str | None:
    """The table a call makes a row of, or a statement that writes rows of it."""
    if not isinstance(call.func, ast.Name):
        return None
    if call.func.id in _STATEMENTS and call.args and isinstance(call.args[0], ast.Name):
        return names.get(call.args[0].id)
    return names.get(call.func.id)


class _Kinds:
    """Which table the rows are of that the names of a function stand for; `None` is unknown."""

    def __init__(self, program: Program, names: Mapping[str, str], function: Function) -> None:
        self._program, self._names = program, names
        self._known: dict[str, str | None] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.arg) and node.annotation is not None:
                self._known[node.arg] = self._named(node.annotation)
            elif isinstance(node, ast.Assign):
                self._learn(_only_name(node.targets[0]), node.value)
            elif isinstance(node, ast.For):
                self._learn(_only_name(node.target), node.iter)

    def of(self, receiver: ast.expr) -> str | None:
        if isinstance(receiver, ast.Name):
            return self._known.get(receiver.id)
        return self._named(receiver)

    def _learn(self, name: str, value: ast.expr) -> None:
        found = self._answered(value) or self._named(value) or self._asked(value)
        if self._known.get(name) is None:
            self._known[name] = found

    def _asked(self, value: ast.expr) -> str | None:
        """The table of a question that was given a name before it was asked."""
        known = (self._known.get(one.id) for one in ast.walk(value) if isinstance(one, ast.Name))
        return next((kind for kind in known if kind and ".models." in kind), None)

    def _answered(self, value: ast.expr) -> str | None:
        """What a function of the program says it returns."""
        if isinstance(value, ast.Subscript):
            return self._answered(value.value)
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
            return None
        target = self._names.get(value.func.id, "")
        if target not in self._program.functions:
            return None
        source, made = self._program.functions[target]
        if isinstance(made, ast.ClassDef):
            return target
        return _first_class(made.returns, self._program.names(source)) if made.returns else None

    def _named(self, value: ast.expr) -> str | None:
        return _first_class(value, self._names)


def _only_name(target: ast.expr) -> str:
    """The one name that is given a value, also the only one of a list; nothing for several."""
    if isinstance(target, ast.Tuple | ast.List) and len(target.elts) == 1:
        target = target.elts[0]
    return target.id if isinstance(target, ast.Name) else ""


def _first_class(node: ast.expr, names: Mapping[str, str]) -> str | None:
    """The class of ours that an annotation or a question names first."""
    words = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
    found = (names.get(word, "") for word in words if word[:1].isupper())
    return next((one for one in found if one.startswith("pms.")), None)
