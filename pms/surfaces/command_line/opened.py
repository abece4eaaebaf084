"""Opens the database of the settings for one command, and closes it whatever happens."""

from collections.abc import Iterator
from contextlib import contextmanager

from pms.foundation.database import Database
from pms.foundation.settings import Settings


@contextmanager
def opened_database(settings: Settings | None = None) -> Iterator[Database]:
    """Give the database of these settings, else of the environment's."""
    database = Database(settings or Settings.from_environment())
    try:
        yield database
    finally:
        database.dispose()
