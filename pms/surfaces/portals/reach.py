"""Says what a portal answers where; each feature offers a list of these."""

from collections.abc import Callable
from typing import Any, NamedTuple

from flask_babel import LazyString


class PortalAddress(NamedTuple):
    """One address of a portal: what is asked how, and which view answers."""

    rule: str
    endpoint: str
    view: Callable[..., Any]
    method: str = "GET"
    most_bytes: int | None = None
    """How large a form may be; the program's own limit unless files come with it."""


class Place(NamedTuple):
    """One of the few places a portal's bar leads to; `endpoint` is without its blueprint."""

    endpoint: str
    text: LazyString
    icon: str
    further: tuple[str, ...] = ()
    """The pages below it, on which it is shown as the current one too."""


class Item(NamedTuple):
    """One place of the bar as it is shown."""

    href: str
    text: str
    icon: str
    is_current: bool
