"""What is stored in a form that this release does not know is told, and breaks no page.

Every column of JSON is walked as soon as the schema has it.
"""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from typing import Any, Final, NamedTuple

import pytest
import sqlalchemy as sa
from flask import Flask

from pms.foundation.database import Database
from pms.tables import metadata
from tests.staff import Browser
from tests.surfaces.dashboard.test_who_reaches_what import addresses, ask_address, ours

__all__ = ["ours"]


class Column(NamedTuple):
    """A column by its table and its own name."""

    table: str
    name: str


_JSON: Final = tuple(
    Column(table.name, column.name)
    for table in metadata.sorted_tables
    for column in table.columns
    if isinstance(column.type, sa.JSON)
)


class Store:
    """The database behind the program, written to by a hand that knows no rules."""

    def __init__(self, database: Database) -> None:
        self._path = database.settings.database_url.partition("///")[2]
        with closing(self._open()) as store:
            names = store.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall()
            for (name,) in names:
                store.execute(f'DROP TRIGGER "{name}"')

    def read(self, column: Column) -> list[tuple[int, str]]:
        with closing(self._open()) as store:
            found = store.execute(
                f'SELECT rowid, "{column.name}" FROM "{column.table}"'
                f' WHERE "{column.name}" IS NOT NULL'
            )
            return found.fetchall()

    def write(self, column: Column, rows: list[tuple[int, str]]) -> None:
        with closing(self._open()) as store:
            store.executemany(
                f'UPDATE "{column.table}" SET "{column.name}" = ? WHERE rowid = ?',
                [(value, rowid) for rowid, value in rows],
            )

    def fill(self, column: Column, value: str) -> None:
        """Put an example where a column is empty."""
        with closing(self._open()) as store:
            store.execute(
                f'UPDATE "{column.table}" SET "{column.name}" = ?'
                f""" WHERE "{column.name}" IS NULL OR "{column.name}" IN ('[]', '{{}}', 'null')""",
                [value],
            )

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, isolation_level=None)


def other_words(value: Any) -> Any:
    """Return JSON of the same shape, with words and names that nobody knows."""
    if isinstance(value, dict):
        return {**{name: other_words(each) for name, each in value.items()}, "gone": "gone"}
    if isinstance(value, list):
        return [*map(other_words, value)]
    return "gone" if isinstance(value, str) else value


@pytest.fixture
def store(database: Database, ours: Mapping[str, str]) -> Store:
    found = Store(database)
    for column, example in _EXAMPLES.items():
        assert column in _JSON
        found.fill(column, json.dumps(example))
    return found


_EXAMPLES: Final[Mapping[Column, Any]] = {
    Column("bank_account", "columns"): {"日付/金額/摘要": {"day": "日付", "credit": "金額"}},
    Column("bank_transfer", "other_keys"): ["2026-10-01/1/73000"],
    Column("checkout", "other_entry_ids"): ["0" * 32],
    Column("collection", "stores"): {"lawson": {"payment": "123456", "confirmation": "4321"}},
    Column("inspection", "failed_points"): [{"id": "0" * 32, "ja": "鏡", "en": None}],
}


def spoil_column(store: Store, column: Column) -> list[tuple[int, str]]:
    """Spoil a column; return its rows as they were."""
    rows = store.read(column)
    store.write(
        column, [(rowid, json.dumps(other_words(json.loads(value)))) for rowid, value in rows]
    )
    return rows


def open_every_page(app: Flask, browser: Browser, ids: Mapping[str, str]) -> list[str]:
    """Return the pages that broke."""
    found = []
    for rule, method in addresses(app):
        if method == "GET":
            try:
                status = ask_address(browser, rule, method, ids).status_code
            except Exception as failure:  # a test's client raises what a server answers with 500
                found.append(f"{rule}: {failure!r}"[:300])
            else:
                found += [f"{rule}: {status}"] if status >= 500 else []
    return found


@pytest.mark.only_on("sqlite")
def test_no_page_breaks_with_words_that_nobody_knows_in_every_column(
    app: Flask, operator: Browser, ours: Mapping[str, str], store: Store
) -> None:
    spoilt = [column for column in _JSON if spoil_column(store, column)]
    assert open_every_page(app, operator, ours) == []
    assert len(spoilt) > 25


@pytest.mark.only_on("sqlite")
@pytest.mark.thorough("all tables are spoilt at once in the quick tier")
@pytest.mark.parametrize("table", sorted({column.table for column in _JSON}))
def test_no_page_breaks_with_the_columns_of_one_table_spoilt(
    app: Flask,
    operator: Browser,
    ours: Mapping[str, str],
    store: Store,
    table: str,
) -> None:
    for column in _JSON:
        if column.table == table:
            spoil_column(store, column)
    assert open_every_page(app, operator, ours) == []
