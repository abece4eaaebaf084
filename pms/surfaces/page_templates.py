"""Compile and cache templates, and filters for attributes of elements and QR codes."""

from collections.abc import Mapping
from contextlib import suppress

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from pms.foundation.settings import Settings


def install(app: Flask) -> None:
    """Give templates the filters `as_attributes` and `qr`."""
    app.jinja_env.filters["as_attributes"] = as_attributes
    app.jinja_env.filters["qr"] = qr_picture


class KeptTemplates(FileSystemBytecodeCache):
    """A bytecode cache shared by all workers and starts; a changed template is recompiled."""

    def __init__(self, settings: Settings) -> None:
        folder = settings.data_dir / "templates"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(str(folder))

    def dump_bytecode(self, bucket: Bucket) -> None:
        # If the disk is full, the template is compiled again later; the page is still shown.
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compile_templates(app: Flask) -> None:
    """Compile every template, so that the first visit of a page does not wait for it."""
    for name in app.jinja_env.list_templates(extensions=["html"]):
        app.jinja_env.get_template(name)


def qr_picture(text: str) -> str:
    """Return a data URI of the text's QR code, dark on white in every theme."""
    # Imported here: most pages show no QR code.
    import segno

    return str(segno.make(text, error="m").svg_data_uri(scale=5, border=4, light="#fff"))


def as_attributes(given: Mapping[str, object]) -> Markup:
    """Return an element's attributes; `True` has no value, `False` and None are omitted."""
    attributes = [
        f' {escape(name.replace("_", "-"))}="{escape("" if value is True else value)}"'
        for name, value in given.items()
        if value is not None and value is not False
    ]
    return Markup("".join(attributes))
