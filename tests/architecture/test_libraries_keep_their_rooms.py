"""Only the surfaces import the web framework.

That the rules need the standard library only is tested beside them, in
tests/rules/test_rules_stand_alone.py.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.source_tree import Finding, Source, listed, python_sources

WEB = {"flask", "flask_babel", "flask_limiter", "flask_wtf", "flask_login", "werkzeug", "gunicorn"}
MAY_IMPORT_WEB = ("pms/surfaces/", "app.py", "wsgi.py", "tests/")


def imports(source: Source) -> Iterator[tuple[int, str]]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or "."


def web_outside_the_surfaces(source: Source) -> Iterator[Finding]:
    if source.path.startswith(MAY_IMPORT_WEB) or not source.mentions(WEB):
        return
    for line, name in imports(source):
        if name.split(".")[0] in WEB:
            yield Finding(source.path, line, f"{name} belongs to the surfaces")


def test_only_surfaces_know_the_web_framework() -> None:
    found = [f for source in python_sources() for f in web_outside_the_surfaces(source)]
    assert not listed(found)


@pytest.mark.parametrize("planted", ["import flask", "from flask_babel import gettext"])
def test_a_planted_web_import_is_found(planted: str) -> None:
    assert list(web_outside_the_surfaces(Source("pms/catalogue/slugs.py", planted)))
    assert not list(web_outside_the_surfaces(Source("pms/surfaces/manual/page.py", planted)))
