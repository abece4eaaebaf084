"""Reads what a form on a page holds, as a browser would send it."""

import re
from html import unescape

_CONTROL = re.compile(
    r"<(input)\b([^>]*)>()|<(select|textarea)\b([^>]*)>(.*?)</(?:select|textarea)>", re.S
)
_ATTRIBUTE = re.compile(r'([\w.:-]+)="([^"]*)"')


def fields_of(page: str, action: str) -> dict[str, str]:
    """What the form that is sent to an address ending so holds, its token left out."""
    form = next(
        part
        for part in re.findall(r"<form\b.*?</form>", page, re.S)
        if re.match(rf'<form\b[^>]*action="[^"]*{re.escape(action)}"', part)
    )
    return controls_of(form)


def controls_of(form: str) -> dict[str, str]:
    """What the text of a form holds, its token left out."""
    found: dict[str, str] = {}
    for found_control in _CONTROL.finditer(form):
        kind, result, inside = (part for part in found_control.groups() if part is not None)
        attributes = dict(_ATTRIBUTE.findall(result))
        name = attributes.get("name")
        is_off = attributes.get("type") in ("checkbox", "radio") and " checked" not in result
        if not name or name == "csrf_token" or is_off:
            continue
        found[name] = unescape(_value(kind, attributes, inside))
    return found


def _value(kind: str, attributes: dict[str, str], inside: str) -> str:
    if kind == "input":
        return attributes.get("value", "y")
    if kind == "textarea":
        return inside.strip()
    chosen = re.search(r'<option\b[^>]*\bselected\b[^>]*value="([^"]*)"', inside)
    chosen = chosen or re.search(r'<option\b[^>]*value="([^"]*)"[^>]*\bselected\b', inside)
    first = re.search(r'<option\b[^>]*value="([^"]*)"', inside)
    found = chosen or first
    return found.group(1) if found else ""
