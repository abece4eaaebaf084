"""Finds names a module may not use: time and randomness, SQL text, raw tables, legacy bulk writes."""

import ast
from collections.abc import Iterator, Mapping

from tests.architecture.source_tree import Finding, Source

TIME_AND_CHANCE: Mapping[str, str] = {
    "datetime.date.today": "ask the clock",
    "datetime.datetime.now": "ask the clock",
    "datetime.datetime.today": "ask the clock",
    "datetime.datetime.utcnow": "ask the clock",
    "time.time": "ask the clock",
    "time.time_ns": "ask the clock",
    "time.localtime": "ask the clock",
    "time.gmtime": "ask the clock",
    "os.environ": "read Settings",
    "os.environb": "read Settings",
    "os.getenv": "read Settings",
    "os.urandom": "randomness is an argument",
    "random": "randomness is an argument",
    "secrets": "randomness is an argument",
    "uuid.uuid1": "use new_id",
    "uuid.uuid4": "use new_id",
}
CLOCK_OF_THE_MACHINE: Mapping[str, str] = {
    "pms.foundation.clock.SystemClock": "take the clock as an argument",
}
ROUND_THE_WALL: Mapping[str, str] = {
    "sqlalchemy.text": "SQL text passes the workspace by",
    "sqlalchemy.sql.text": "SQL text passes the workspace by",
    "sqlalchemy.literal_column": "SQL text passes the workspace by",
    "sqlalchemy.sql.literal_column": "SQL text passes the workspace by",
    "sqlalchemy.create_engine": "open the Database",
    "sqlite3": "only Database opens connections",
    "psycopg": "only Database opens connections",
}
SESSIONS: Mapping[str, str] = {
    "sqlalchemy.orm.Session": "only Database opens sessions",
    "sqlalchemy.orm.sessionmaker": "only Database opens sessions",
    "sqlalchemy.orm.scoped_session": "only Database opens sessions",
    "pms.foundation.tenancy.WorkspaceSession": "only Database opens sessions",
}
METHODS_ROUND_THE_WALL: Mapping[str, str] = {
    "connection": "a bare connection passes the workspace by",
}
ATTRIBUTES_ROUND_THE_WALL: Mapping[str, str] = {
    "__table__": "a raw table passes the workspace by",
    "exec_driver_sql": "SQL text passes the workspace by",
    "get_bind": "a bare connection passes the workspace by",
    "bulk_save_objects": "legacy bulk writes are not stamped",
    "bulk_insert_mappings": "legacy bulk writes are not stamped",
    "bulk_update_mappings": "legacy bulk writes are not stamped",
}


def uses(source: Source, banned: Mapping[str, str]) -> Iterator[Finding]:
    """Each use of a banned dotted name, through any import or alias of it."""
    if not source.mentions(banned):
        return
    names = _imported_names(source.tree)
    for node in ast.walk(source.tree):
        for name in _dotted_names(node, names):
            banned_name = _banned_prefix(name, banned)
            if banned_name:
                why = banned[banned_name]
                yield Finding(source.path, getattr(node, "lineno", 0), f"{name}: {why}")


def attributes(source: Source, banned: Mapping[str, str]) -> Iterator[Finding]:
    """Each use of a banned attribute, whatever it hangs on."""
    if not source.mentions(banned):
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and node.attr in banned:
            yield Finding(source.path, node.lineno, f".{node.attr}: {banned[node.attr]}")


def calls(source: Source, banned: Mapping[str, str]) -> Iterator[Finding]:
    """Each call of a banned dotted name; naming it, as in an annotation, is allowed."""
    for finding, _ in _calls_of(source, banned):
        yield finding


def calls_without_arguments(source: Source, banned: Mapping[str, str]) -> Iterator[Finding]:
    """Each call of a banned dotted name that hands nothing over."""
    for finding, call in _calls_of(source, banned):
        if not call.args and not call.keywords:
            yield finding


def _calls_of(source: Source, banned: Mapping[str, str]) -> Iterator[tuple[Finding, ast.Call]]:
    if not source.mentions(banned):
        return
    names = _imported_names(source.tree)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            first, dot, rest = _spelled(node.func).partition(".")
            name = names.get(first, first) + dot + rest
            if name in banned:
                found = Finding(source.path, node.lineno, f"{name}(): {banned[name]}")
                yield found, node


def method_calls(source: Source, banned: Mapping[str, str]) -> Iterator[Finding]:
    """Each call of a method of a banned name; an attribute that merely has the name may stay."""
    if not source.mentions(banned):
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name in banned:
                yield Finding(source.path, node.lineno, f".{name}(): {banned[name]}")


def _banned_prefix(name: str, banned: Mapping[str, str]) -> str | None:
    parts = name.split(".")
    prefixes = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return next((prefix for prefix in prefixes if prefix in banned), None)


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """What each name of the module stands for: {'dt': 'datetime'}."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.split(".")[0]
                names[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def _dotted_names(node: ast.AST, names: Mapping[str, str]) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.Attribute):
        dotted = _spelled(node)
        first, _, rest = dotted.partition(".")
        if first in names:
            yield f"{names[first]}.{rest}"


def _spelled(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_spelled(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
