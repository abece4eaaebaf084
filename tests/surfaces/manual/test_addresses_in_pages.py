"""The address book of the manual names what the program answers, no more and no less."""

import re

import pytest
from flask import Flask

from pms.surfaces.manual.rendering import read_page
from tests.surfaces.agent_api.asking import addresses

ADDRESS = re.compile(r"`(/[^`?]*)(?:\?[^`]*)?`")
# Told in words: the Markdown twins, and files that pages load by themselves.
IN_WORDS = {
    "/manual.md",
    "/manual/index.md",
    "/manual/<path:slug>",
    "/manual/<path:slug>.md",
    "/assets/<digest>/<name>",
}


def pattern(address: str) -> str:
    """An address with every parameter called the same."""
    return re.sub(r"<[^>]+>|\{\w+\}(?:\.webp)?", "*", address)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_address_book_is_the_route_map(language: str, app: Flask) -> None:
    found = set(map(pattern, ADDRESS.findall(read_page("addresses", language).source)))
    # The addresses of the dashboard and of a contractor's link are the business of their pages:
    # the book tells where they begin.
    within = re.compile(
        "/dashboard/|/(resident|owner)/<workspace>/.|/(contractor|check-in|reserve|settlement)/<token>/"
    )
    rules = (rule for rule in app.url_map.iter_rules() if not within.match(rule.rule))
    there = {rule.rule for rule in rules} | {"/dashboard/<workspace>/"}
    there -= IN_WORDS
    assert found - {"/assets/"} == set(map(pattern, there))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_scopes_told_are_the_scopes_asked_for(language: str, app: Flask) -> None:

    rows = [
        line for line in read_page("addresses", language).source.splitlines() if "/api/" in line
    ]
    for address in addresses(app):
        path = f"/api/agent{pattern(address.path)}"
        row = next(row for row in rows if path in map(pattern, ADDRESS.findall(row)))
        assert f"`{address.scope}`" in row, path
