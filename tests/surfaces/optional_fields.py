"""Sends the forms of pages with everything empty that they mark as optional."""

import re
from collections.abc import Iterator
from html import unescape

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.surfaces.dashboard.reservations.forms import controls_of

_FORM = re.compile(r'<form[^>]*method="post".*?</form>', re.S)
_ACTION = re.compile(r'^<form[^>]*action="([^"]+)"')
_LABEL = re.compile(
    r'<label for="([\w.-]+)">(?:(?!</label>).)*?class="optional">(.*?)</span>', re.S
)
_CHOICE = re.compile(
    r'<legend>(?:(?!</legend>).)*?class="optional">(.*?)</span>.*?name="([\w.-]+)"', re.S
)
_CONTROL = re.compile(r"<(?:input|select|textarea)\b[^>]*>")
_NAME = re.compile(r'\bname="([\w.-]+)"')
_OPTION = re.compile(r'<option[^>]*value="([^"]+)"')
_ERROR = re.compile(r'id="([\w.-]+)-error">.*?<span>(.*?)</span>', re.S)
_LINK = re.compile(r'<a\b[^>]*href="([^"#]+)"')
_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
EITHER = "one of these is required"


def forms_below(client: FlaskClient, home: str, first: str = "/") -> dict[str, str]:
    """Return the forms of all pages that links lead to from a page below `home`, by address."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    waiting = [home + first]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        page = client.get(path, headers={"Accept-Language": "en"}, follow_redirects=True)
        if page.mimetype != "text/html" or page.status_code != 200:
            continue
        for address, form in forms_of(page):
            found.setdefault(address, form)
        for link in map(unescape, _LINK.findall(page.text)):
            if link.startswith(home) and link not in seen and "lang=" not in link:
                waiting.append(link)
    return found


def forms_of(page: TestResponse) -> Iterator[tuple[str, str]]:
    """Yield the address and the text of each form of a page that is posted."""
    for form in _FORM.findall(page.text):
        action = _ACTION.search(form)
        yield unescape(action[1]) if action else page.request.path, form


def refused_optionals(client: FlaskClient, address: str, form: str) -> dict[str, str]:
    """Send a form with its optional fields empty; return what is said of them when it is refused.

    Fields that have to be filled in are; the first of two of which one is needed.
    """
    marked = dict(_LABEL.findall(form)) | {name: text for text, name in _CHOICE.findall(form)}
    optional = {name for name, text in marked.items() if text != EITHER}
    data = controls_of(form)
    # Two groups of them may stand in one form: a title and a text, each in two languages.
    either = [name for name in data if marked.get(name) == EITHER][::2]
    for control in _CONTROL.findall(form):
        named = _NAME.search(control)
        if named is None:
            continue
        name = named[1]
        if name in optional and 'type="radio"' not in control and 'type="checkbox"' not in control:
            data[name] = ""
        elif name in optional:
            data.pop(name, None)
        elif name in either or ("required" in control and not data.get(name)):
            data[name] = data.get(name) or _plausible(name, control, form)
    token = _TOKEN.search(form)
    sent = {"csrf_token": token[1], **data} if token else data
    headers = {"Accept-Language": "en"}
    answer = client.post(address, data=sent, headers=headers)
    assert answer.status_code < 500, address
    errors = _ERROR.findall(answer.text) if answer.status_code == 422 else []
    return {name: text for name, text in errors if name in optional}


def _plausible(name: str, control: str, form: str) -> str:
    """Return something that a field of this name may hold."""
    if control.startswith("<select"):
        chosen = _OPTION.search(form.partition(control)[2].partition("</select>")[0])
        return chosen[1] if chosen else ""
    if 'type="radio"' in control:
        return control.partition('value="')[2].partition('"')[0]
    for end, value in (
        ("mail", "aoi@example.jp"),
        ("On", "2026-12-01"),
        ("Date", "2026-12-01"),
        ("day", "2026-12-01"),
        ("Yen", "1000"),
        ("ode", "a1"),
        ("hone", "09012345678"),
        ("assword", "quiet river house"),
    ):
        if name.endswith(end):
            return value
    return "1" if "inputmode" in control else "Aoi"
