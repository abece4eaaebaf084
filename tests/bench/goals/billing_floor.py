"""The floor of billing: the very rows that the program wrote, handed to the driver at once."""

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import make_url

from pms.foundation.settings import Settings
from tests.bench.goals.billing_data import BILLING_DAY, WORKSPACE
from tests.servers.postgresql import PostgreSQL

_WRITTEN = {
    "ledger_entry": "issued_on = {day}",
    "billed_row": "entry_id IN (SELECT id FROM ledger_entry WHERE issued_on = {day})",
    "row_extent": "set_on = {day}",
    "ledger_line": "posted_on = {day}",
}
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")


@dataclass(frozen=True)
class WrittenRows:
    """What one billing run wrote into one table."""

    table: str
    columns: Sequence[str]
    rows: Sequence[tuple[Any, ...]]


def written_rows(settings: Settings, server: PostgreSQL | None) -> list[WrittenRows]:
    """Return what the billing day wrote, parents before their children."""
    day = f"'{BILLING_DAY.isoformat()}'"
    questions = {
        table: f"SELECT * FROM {table} WHERE {condition.format(day=day)} ORDER BY id"
        for table, condition in _WRITTEN.items()
    }
    with closing(_opened(settings, server)) as connection:
        found = []
        for table, question in questions.items():
            cursor = connection.cursor()
            cursor.execute(question)
            columns = [column[0] for column in cursor.description or ()]
            found.append(WrittenRows(table, columns, cursor.fetchall()))
    return found


def floor_seconds(
    settings: Settings, server: PostgreSQL | None, written: Sequence[WrittenRows]
) -> float:
    """Return the seconds that one transaction of executemany takes for all the rows."""
    with closing(_opened(settings, server)) as connection:
        began = time.perf_counter()
        cursor = connection.cursor()
        cursor.execute("BEGIN IMMEDIATE" if server is None else "SELECT 1")
        for one in written:
            cursor.executemany(_insert(one, "?" if server is None else "%s"), one.rows)
        connection.commit()
        return time.perf_counter() - began


def _insert(written: WrittenRows, mark: str) -> Any:
    marks = ", ".join([mark] * len(written.columns))
    return f"INSERT INTO {written.table} ({', '.join(written.columns)}) VALUES ({marks})"


def _opened(settings: Settings, server: PostgreSQL | None) -> Any:
    if server is None:
        connection = sqlite3.connect(settings.data_dir / "pms.sqlite3", isolation_level=None)
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        return connection
    url = make_url(settings.database_url).set(drivername="postgresql")
    link = psycopg.connect(url.render_as_string(hide_password=False))
    link.execute(sql.SQL("SET ROLE pms_app"))
    # For the whole connection: row security lets nothing else in or out.
    link.execute("SELECT set_config('app.workspace', %s, false)", (WORKSPACE,))
    return link
