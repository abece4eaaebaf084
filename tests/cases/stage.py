"""What a case is run on: a migrated database with nothing in it, a clock and the program."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask
from flask.testing import FlaskClient

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.rules.days import JAPAN
from tests.databases import (
    TEMPLATE,
    ReusedDatabase,
    ReusedPostgresql,
    ReusedSqlite,
    postgresql_settings,
    settings_of_a_test,
)
from tests.programs import forget_database, make_app
from tests.servers.postgresql import start_postgresql

BEGINNING = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Stage:
    """Everything a case may touch, empty when it begins."""

    settings: Settings
    database: Database
    clock: FixedClock
    folder: Path
    open_client: Callable[[], FlaskClient]
    """Starting the program takes a second: only cases that ask the API do."""

    def go_to(self, day: date) -> None:
        """Let it become noon of a day in Japan."""
        self.clock.advance(datetime.combine(day, time(12), JAPAN) - self.clock.now())


@contextmanager
def opened_stages(*, on_postgresql: bool) -> Iterator[Callable[[], Stage]]:
    """Give what sets the stage anew, as often as it is called, until all cases are run.

    What only the rules answer needs neither a database nor a server.
    """
    clock = FixedClock(BEGINNING)
    with ExitStack() as to_close:
        folder = Path(to_close.enter_context(TemporaryDirectory(prefix="pms-cases-")))

        @cache
        def kept() -> ReusedDatabase:
            return to_close.enter_context(_open_database(on_postgresql, folder))

        @cache
        def app() -> Flask:
            return make_app(kept().settings, clock, kept().database)

        def open_client() -> FlaskClient:
            forget_database(app())
            return app().test_client()

        def set_stage() -> Stage:
            kept().restore("empty")
            clock.advance(BEGINNING - clock.now())
            return Stage(kept().settings, kept().database, clock, folder, open_client)

        yield set_stage


@contextmanager
def _open_database(on_postgresql: bool, folder: Path) -> Iterator[ReusedDatabase]:
    if not on_postgresql:
        settings = settings_of_a_test(folder / "template")
        migrate(settings)
        kept: ReusedDatabase = ReusedSqlite(settings.data_dir / "pms.sqlite3")
        yield kept
        kept.close()
        return
    server = start_postgresql()
    try:
        server.make_database(TEMPLATE)
        migrate(postgresql_settings(folder, server, TEMPLATE))
        kept = ReusedPostgresql(server, TEMPLATE)
        yield kept
        kept.close()
    finally:
        server.drop_database(TEMPLATE)
        server.stop()
