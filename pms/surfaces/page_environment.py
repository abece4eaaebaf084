"""Renders templates as Flask does, with one set of globals for all of them."""

from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from typing import Any

from flask import Flask
from flask.sansio.app import App
from flask.templating import Environment
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from pms.foundation.settings import Settings


class PageEnvironment(Environment):
    """No template has globals of its own here, so none is asked for them at each import.

    With a set for each, Jinja compares two hundred names whenever a page imports a component.
    """

    def __init__(self, app: App, **options: Any) -> None:
        super().__init__(app, **options)
        self.filters["as_attributes"] = as_attributes

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


class KeptTemplates(FileSystemBytecodeCache):
    """Templates compiled once for all workers and starts; a changed one is compiled anew."""

    def __init__(self, settings: Settings) -> None:
        folder = settings.data_dir / "templates"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(str(folder))

    def dump_bytecode(self, bucket: Bucket) -> None:
        # A full disk costs the next process a moment, never a reader the page.
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compile_templates(app: Flask) -> None:
    """Compile every template, so that the first visit of a page waits for none of them."""
    for name in app.jinja_env.list_templates(extensions=["html"]):
        app.jinja_env.get_template(name)


def as_attributes(given: Mapping[str, object]) -> Markup:
    """Return attributes as an element carries them; what is `True` has no value, `False` is none."""
    told = [
        f' {escape(name.replace("_", "-"))}="{escape("" if value is True else value)}"'
        for name, value in given.items()
        if value is not None and value is not False
    ]
    return Markup("".join(told))
