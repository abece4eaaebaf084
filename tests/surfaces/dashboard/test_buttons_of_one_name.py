"""No page has two buttons of one name of which one throws away what was typed for the other."""

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Final, NamedTuple

import pytest
from flask import Flask

from tests.staff import Browser
from tests.surfaces.dashboard.test_who_reaches_what import addresses, ask_address, ours

__all__ = ["ours"]

_TYPED: Final = frozenset(
    {"text", "email", "tel", "number", "date", "time", "url", "checkbox", "radio", "file"}
)


class Control(NamedTuple):
    """A button or a link that looks like one, and the form in which it stands, counted from 1."""

    name: str
    form: int


class Controls(HTMLParser):
    """Reads the controls of a page, and which of its forms a person types into."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Control] = []
        self.typed: set[int] = set()
        self._forms = 0
        self._form = 0
        self._is_posted = False
        self._label: str | None = None
        self._text: list[str] | None = None
        self._tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self._forms += 1
            self._form, self._is_posted = self._forms, given.get("method") == "post"
        if tag in ("input", "select", "textarea") and self._is_posted:
            kind = given.get("type") or "text"
            if (tag != "input" or kind in _TYPED) and "name" in given:
                self.typed.add(self._form)
        looks = (given.get("class") or "").split()
        is_way = tag == "a" and "button" in looks and (given.get("href") or "#")[0] != "#"
        is_sent = tag == "button" and given.get("type", "submit") == "submit"
        if self._text is None and (is_way or (is_sent and self._form)):
            self._text, self._tag, self._label = [], tag, given.get("aria-label")

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if self._text is not None and tag == self._tag:
            name = self._label or " ".join("".join(self._text).split())
            self.found.append(Control(name, self._form))
            self._text = None
        if tag == "form":
            self._form, self._is_posted = 0, False


def clashes(page: str) -> Iterator[str]:
    """Yield the names of buttons that send a typed form, and that something else bears too."""
    read = Controls()
    read.feed(page.partition("<main")[2])
    for name in {each.name for each in read.found}:
        forms = [each.form for each in read.found if each.name == name]
        if len(set(forms)) > 1 and set(forms) & read.typed:
            yield name


def test_a_name_is_borne_once_where_something_is_typed(
    app: Flask, operator: Browser, ours: Mapping[str, str]
) -> None:
    found = {}
    for rule, method in addresses(app):
        if method != "GET" or rule.endpoint == "dashboard.logo":
            continue
        answer = ask_address(operator, rule, method, ours)
        if answer.status_code == 200 and answer.mimetype == "text/html":
            named = sorted(clashes(answer.text))
            if named:
                found[rule.rule.removeprefix("/dashboard/<workspace>")] = named
    assert not found


@pytest.mark.parametrize(
    ("page", "names"),
    [
        (
            "<main><form method=post><input name=a><button>Go</button></form><a class=button href=/>Go</a>",
            ["Go"],
        ),
        ("<main><form method=post><input name=a><button>Go</button></form><a href=/>Go</a>", []),
        (
            "<main><form method=post><button>Go</button></form><form method=post><button>Go</button></form>",
            [],
        ),
    ],
)
def test_a_clash_is_found(page: str, names: list[str]) -> None:
    assert list(clashes(page)) == names
