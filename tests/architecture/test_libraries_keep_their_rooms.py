"""The law needs the standard library only, and the web framework is met at the doors alone."""

import ast
import sys
from collections.abc import Iterator

import pytest

from tests.architecture.source_tree import Finding, Source, listed, python_sources

WEB = {"flask", "flask_babel", "flask_limiter", "flask_wtf", "flask_login", "werkzeug", "gunicorn"}
DOORS = ("pms/surfaces/", "app.py", "wsgi.py", "tests/")


def imports(source: Source) -> Iterator[tuple[int, str]]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or "."


def strangers_to_the_law(source: Source) -> Iterator[Finding]:
    for line, name in imports(source):
        first = name.split(".")[0]
        if first not in sys.stdlib_module_names and not name.startswith("pms.rules"):
            yield Finding(source.path, line, f"{name} is not of the standard library")


def web_outside_the_doors(source: Source) -> Iterator[Finding]:
    for line, name in imports(source):
        if name.split(".")[0] in WEB and not source.path.startswith(DOORS):
            yield Finding(source.path, line, f"{name} belongs to the surfaces")


def test_rules_import_the_standard_library_only() -> None:
    law = list(python_sources("pms/rules/"))
    assert law
    assert not listed([finding for source in law for finding in strangers_to_the_law(source)])


def test_only_surfaces_know_the_web_framework() -> None:
    found = [f for source in python_sources() for f in web_outside_the_doors(source)]
    assert not listed(found)


@pytest.mark.parametrize("planted", ["import msgspec", "from pms.foundation import db"])
def test_a_planted_stranger_to_the_law_is_found(planted: str) -> None:
    assert list(strangers_to_the_law(Source("pms/rules/days.py", planted)))


def test_the_law_may_quote_itself_and_the_standard_library() -> None:
    quoting = "from datetime import date\nfrom pms.rules.days import day_of"
    assert not list(strangers_to_the_law(Source("pms/rules/deposit.py", quoting)))


@pytest.mark.parametrize("planted", ["import flask", "from flask_babel import gettext"])
def test_a_planted_web_import_is_found(planted: str) -> None:
    assert list(web_outside_the_doors(Source("pms/catalogue/queries.py", planted)))
    assert not list(web_outside_the_doors(Source("pms/surfaces/manual/page.py", planted)))
