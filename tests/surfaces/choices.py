"""Sends each choice of each form of a surface what its page does not offer."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Final

import pytest
from flask.testing import FlaskClient

from pms.foundation.database import Database
from tests.row_counts import row_counts
from tests.surfaces.dashboard.reservations.forms import controls_of

_MORE: Final = pytest.mark.thorough("one blank that is no choice is quick")
NOT_OFFERED: Final = pytest.mark.parametrize(
    "sent",
    [
        pytest.param(["\u3000"], id="a wide blank"),
        pytest.param([""], marks=_MORE, id="nothing"),
        pytest.param(["\u00a0"], marks=_MORE, id="a blank that does not break"),
        pytest.param(["\u200b"], marks=_MORE, id="a blank without width"),
        pytest.param(["\u2800"], marks=_MORE, id="a blank of Braille"),
        pytest.param(["", ""], marks=_MORE, id="nothing twice"),
        pytest.param(["x/y", "x/y"], marks=_MORE, id="a word twice"),
    ],
)
FORM: Final = re.compile(r"<form[^>]*method=\"post\".*?</form>", re.DOTALL)
_CHOICE: Final = re.compile(
    r"<(?:select|input[^>]*\btype=\"radio\")[^>]*\bname=\"([^\"]+)\"", re.DOTALL
)
_TICKED: Final = re.compile(r"<input[^>]*\btype=\"checkbox\"[^>]*>", re.DOTALL)
_OF_SEVERAL: Final = re.compile(r"\bname=\"([^\"]+)\".*\bvalue=\"(?!y\")[^\"]{2,}\"", re.DOTALL)
_BUTTON: Final = re.compile(r"<button[^>]*\bname=\"([^\"]+)\"[^>]*\bvalue=\"[^\"]+\"", re.DOTALL)
_ACTION: Final = re.compile(r"^<form[^>]*action=\"([^\"]+)\"")
_TOKEN: Final = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')
_LINK: Final = re.compile(r'href="(/[^"#]*)')
_MOST_PAGES: Final = 60


def choices_of(form: str) -> set[str]:
    """Return the names of a form's fields that have a list of what may be sent."""
    ticked = (_OF_SEVERAL.search(box) for box in _TICKED.findall(form))
    return {*_CHOICE.findall(form), *(found[1] for found in ticked if found)}


def pages_below(client: FlaskClient, home: str, *starts: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of the pages that can be reached by links below an address."""
    waiting, seen = [*starts, home], set[str]()
    while waiting and len(seen) < _MOST_PAGES:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        answer = client.get(path)
        assert answer.status_code < 500, f"{path}: {answer.status_code}"
        if answer.mimetype == "text/html" and answer.status_code == 200:
            text = answer.text
            yield path, text
            links = (unescape(link) for link in _LINK.findall(text))
            waiting += [
                link
                for link in dict.fromkeys(links)
                if link.startswith(home) and not re.search(r"[?&](lang|theme)=|sign-out", link)
            ]


def send_what_is_not_offered(
    client: FlaskClient, database: Database, home: str, sent: list[str], *starts: str
) -> int:
    """Send all choices of each form below an address so, and each alone; return how many posts.

    Each is refused, and nothing is stored; every page opens afterwards. A choice left empty may be
    an optional one, so only breaking is a failure there. Buttons with a word are choices too.
    """
    pages, tried = dict(pages_below(client, home, *starts)), 0
    for path, text in pages.items():
        for form in FORM.findall(text):
            action, token = _ACTION.search(form), _TOKEN.search(form)
            address = unescape(action[1]) if action else path
            values = {**controls_of(form), "csrf_token": token[1] if token else ""}
            names, buttons = choices_of(form), set(_BUTTON.findall(form))
            for changed in [names, *({name} for name in sorted(names | buttons))]:
                if not changed or "sign-out" in address:
                    continue
                before = row_counts(database)
                answer = client.post(address, data={**values, **dict.fromkeys(changed, sent)})
                tried += 1
                found = f"{address} {sorted(changed)} {sent}: {answer.status_code}"
                assert answer.status_code < 500, found
                if any(sent) and changed <= names:
                    assert answer.status_code >= 400, found
                    assert row_counts(database) == before, found
    for path in pages:
        assert client.get(path).status_code < 500, path
    return tried
