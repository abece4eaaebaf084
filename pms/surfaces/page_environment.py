"""Renders templates as Flask does, with one set of globals for all of them."""

from collections.abc import Mapping, MutableMapping
from typing import Any

from flask.sansio.app import App
from flask.templating import Environment
from markupsafe import Markup, escape


class PageEnvironment(Environment):
    """No template has globals of its own here, so none is asked for them at each import.

    With a set for each, Jinja compares two hundred names whenever a page imports a component.
    """

    def __init__(self, app: App, **options: Any) -> None:
        super().__init__(app, **options)
        self.filters["as_attributes"] = as_attributes

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


def as_attributes(given: Mapping[str, object]) -> Markup:
    """Return attributes as an element carries them; what is `True` has no value, `False` is none."""
    told = [
        f' {escape(name.replace("_", "-"))}="{escape("" if value is True else value)}"'
        for name, value in given.items()
        if value is not None and value is not False
    ]
    return Markup("".join(told))
