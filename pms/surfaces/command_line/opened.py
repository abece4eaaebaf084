"""Opens the database of the settings for one command, and closes it whatever happens."""

from collections.abc import Iterator
from contextlib import contextmanager

from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.logs import keep_off_output
from pms.foundation.readiness import BUDGET, DISK, WORKER, readiness
from pms.foundation.settings import Settings


@contextmanager
def opened_database(
    settings: Settings | None = None, *, even_unready: bool = False
) -> Iterator[Database]:
    """Give the database of these settings, else of the environment's.

    One that is missing or not migrated is refused in a line, unless the command looks into that.
    """
    keep_off_output()
    database = Database(settings or Settings.from_environment())
    try:
        if not even_unready:
            _refuse_unready(database)
        yield database
    finally:
        database.dispose()


def _refuse_unready(database: Database) -> None:
    # No command needs a running worker, those that ask for counts do without, and many only read.
    for finding in readiness(database, SystemClock()):
        if not finding.is_well and finding.name not in (WORKER, BUDGET, DISK):
            raise Refused(f"{finding.name}: {finding.detail}. {finding.remedy}")
