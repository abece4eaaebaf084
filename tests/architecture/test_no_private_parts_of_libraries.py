"""Frameworks are used as their manuals show: nothing that begins with an underscore is touched."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from itertools import chain

import pytest

import pms
from tests.architecture.source_tree import Finding, Source, listed, python_sources

# Documented in spite of the underscore: named tuples, and rows of SQLAlchemy.
PUBLIC = {"_asdict", "_fields", "_make", "_mapping", "_replace"}
# Types for the checker alone.
TYPES = {"_typeshed"}
# The wall between workspaces: SQLAlchemy offers no other way to see what an update or an insert gives
# values to in its own words (`values(...)`), and one that names another workspace must not pass.
EXCUSED = {"pms/foundation/tenancy.py": {"_values", "_multi_values"}}
_ASKING = {"getattr", "hasattr", "setattr", "delattr"}


def touched(source: Source) -> Iterator[Finding]:
    """Each private name of something that the module does not define itself."""
    own = _defined(source.tree)
    for node in ast.walk(source.tree):
        for name in _private_names(node):
            if name not in own | PUBLIC | EXCUSED.get(source.path, set()):
                yield Finding(source.path, getattr(node, "lineno", 0), f"{name} is private")


def _private_names(node: ast.AST) -> Iterator[str]:
    names: list[str] = []
    if isinstance(node, ast.Attribute):
        names = [node.attr]
    elif isinstance(node, ast.ImportFrom) and node.module:
        parts = node.module.split(".")
        names = [] if parts[0] in TYPES else [*parts, *(alias.name for alias in node.names)]
    elif isinstance(node, ast.Call) and _is_asking(node):
        names = [one.value for one in node.args[1:2] if _is_text(one)]  # type: ignore[attr-defined]
    yield from (name for name in names if name.startswith("_") and not name.startswith("__"))


def _is_asking(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in _ASKING


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _defined(tree: ast.Module) -> set[str]:
    """The names that a module gives to functions, classes, fields and attributes of its objects."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                found.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def test_nothing_private_of_a_library_is_touched() -> None:
    sources = chain.from_iterable(python_sources(one) for one in ("pms/", "app.py", "wsgi.py"))
    assert not listed([f for source in sources for f in touched(source)])


def test_no_private_function_of_a_library_is_overridden() -> None:
    for module in pkgutil.walk_packages(pms.__path__, "pms."):
        for _, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if kind.__module__.startswith("pms."):
                assert not overridden(kind), kind


def overridden(kind: type) -> set[str]:
    """The private functions that a class writes itself and a library's class above it has too."""
    written = {name for name, value in vars(kind).items() if inspect.isfunction(value)}
    above = [one for one in kind.__mro__[1:] if not one.__module__.startswith(("pms.", "enum"))]
    # Given by SQLAlchemy itself to what is compiled by a function of ours.
    private = {name for name in written if name.startswith("_")} - {"_compiler_dispatch"}
    return {
        name
        for name in private
        if not name.startswith("__") and any(name in vars(one) for one in above)
    }


@pytest.mark.parametrize(
    "planted",
    [
        "statement._for_update_arg = None",
        "getattr(statement, '_where', None)",
        "from flask_wtf.csrf import _is_valid",
        "from limits._storage_scheme import SCHEMES",
    ],
)
def test_a_planted_private_part_is_found(planted: str) -> None:
    assert list(touched(Source("pms/catalogue/slugs.py", planted)))


def test_a_planted_override_is_found() -> None:
    class Library:
        def _check(self) -> None: ...

    Library.__module__ = "library"
    planted = type("Planted", (Library,), {"_check": lambda self: None})
    assert overridden(planted) == {"_check"}


def test_ones_own_private_parts_may_be_used() -> None:
    own = "class A:\n    def __init__(self): self._kept = 1\ndef f(other): return other._kept\nrow._asdict()"
    assert not list(touched(Source("pms/catalogue/slugs.py", own)))
