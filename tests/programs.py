"""The whole program in the process of a test."""

from pathlib import Path

from flask import Flask
from jinja2 import FileSystemBytecodeCache

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.settings import Settings


class CompiledTemplates:
    """A folder of compiled templates for all programs of one run.

    To compile all of them takes seven seconds, to read them a quarter of one.
    """

    folder: Path | None = None

    @classmethod
    def share_with_server(cls, data_dir: Path) -> None:
        """Let a server over this data folder use what is compiled, and add to it."""
        if cls.folder is not None and not (data_dir / "templates").exists():
            (data_dir / "templates").symlink_to(cls.folder)


def make_app(
    settings: Settings, clock: Clock | None = None, database: Database | None = None
) -> Flask:
    """Return the program; its templates are compiled once in a run of tests."""
    # Imported here, so that tests of the rules alone start without the web.
    from app import create_app

    app = create_app(settings, clock, database)
    if CompiledTemplates.folder is not None:
        app.jinja_env.bytecode_cache = FileSystemBytecodeCache(str(CompiledTemplates.folder))
    return app


def forget_database(app: Flask) -> None:
    """Drop what the program remembers of a database that is another one now."""
    for extension in app.extensions.values():
        forget = getattr(extension, "forget", None)
        if forget is not None:
            forget()
    (limiter,) = app.extensions["limiter"]
    limiter.storage.close()
