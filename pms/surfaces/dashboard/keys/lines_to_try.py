"""Writes the lines that try a new key: one for each thing a website does that the key may do."""

import json
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from flask_babel import LazyString, lazy_gettext
from flask_babel import gettext as _

from pms.rules.enumerations import Scope

_QUOTE: Final = "'"
_GOES_ON: Final = " \\\n"
_PAGE_VIEW: Final = {"events": [{"type": "page_view", "path": "/"}]}
_READ: Final = lazy_gettext("It lists the units.")
_ENQUIRE: Final = lazy_gettext("It sends an enquiry, which then stands under Enquiries.")
_COUNT: Final = lazy_gettext("It reports one page view.")


class LineToTry(NamedTuple):
    """A line for a terminal with what it does; `id` is its mark on the page."""

    id: str
    what: LazyString
    command: str


def lines_to_try(scopes: Collection[str], key: str, base_url: str) -> Sequence[LineToTry]:
    """Return the lines whose scope the key has: reading, an enquiry, a page view."""
    agent = f"{base_url}/api/agent"
    lines = {
        Scope.PROPERTIES_READ: LineToTry(
            "try-it", _READ, _curl(key, f"{agent}/properties?limit=200")
        ),
        Scope.INQUIRIES_WRITE: LineToTry(
            "try-enquiry", _ENQUIRE, _curl(key, f"{agent}/inquiries", _enquiry())
        ),
        Scope.ANALYTICS_WRITE: LineToTry(
            "try-visit", _COUNT, _curl(key, f"{agent}/analytics", _PAGE_VIEW)
        ),
    }
    return [line for scope, line in lines.items() if scope in scopes]


def _enquiry() -> dict[str, str]:
    return {
        "name": _("A try of the key"),
        "email": "test@example.com",
        "message": _("This enquiry tries a new key."),
    }


def _curl(key: str, url: str, body: dict[str, Any] | None = None) -> str:
    words = ["curl", f'-H "Authorization: Bearer {key}"']
    if body is not None:
        # A quote would end the text for the shell; JSON may write it as its number.
        said = json.dumps(body, ensure_ascii=False).replace(_QUOTE, r"\u0027")
        words += ['-H "Content-Type: application/json"', f"-d '{said}'"]
    return _GOES_ON.join([*words, f'"{url}"'])
