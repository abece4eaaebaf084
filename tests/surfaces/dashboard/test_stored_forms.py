"""What is stored in a form that this release does not know is told, and breaks no page or form.

Every column of JSON, and every column of words from a list, is walked as soon as the schema has it.
"""

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from html import unescape
from typing import Any, Final, NamedTuple

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.pool import Pool
from werkzeug.routing import Rule

from pms.foundation.database import Database
from pms.foundation.db import Word
from pms.foundation.versions import KeptAnswers
from pms.tables import metadata
from tests.staff import Browser
from tests.surfaces.choices import FORM
from tests.surfaces.dashboard.reservations.forms import controls_of
from tests.surfaces.dashboard.test_who_reaches_what import addresses, ask_address, ours

__all__ = ["ours"]


_ACTION: Final = re.compile(r"<form[^>]*action=\"([^\"]+)\"")
_WORD: Final = re.compile(r"\w+")
_ENDS: Final = re.compile(r"delet|remov|revo|sign-out|end|withdraw|cancel")


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


_WORDS: Final = tuple(
    Column(table.name, column.name)
    for table in metadata.sorted_tables
    for column in table.columns
    if isinstance(column.type, Word)
)
_OF_THE_READER: Final = frozenset(
    {"auth_session", "member", "person", "sign_in_policy", "workspace", "job_slot"}
)
"""Without these nobody is signed in."""


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
        store = sqlite3.connect(self._path, isolation_level=None)
        # What an earlier or a later release may store, this one need not.
        store.execute("PRAGMA ignore_check_constraints = ON")
        return store


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
    return open_pages(browser, ids, [rule for rule, method in addresses(app) if method == "GET"])


def open_pages(browser: Browser, ids: Mapping[str, str], rules: Iterable[Rule]) -> list[str]:
    """Return those of some pages that broke."""
    found = []
    for rule in rules:
        try:
            status = ask_address(browser, rule, "GET", ids).status_code
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


def spoil_words(store: Store, column: Column) -> int:
    """Store a word that nobody knows in every row of a column; return how many there were."""
    rows = store.read(column)
    store.write(column, [(rowid, "gone") for rowid, _ in rows])
    return len(rows)


@pytest.mark.only_on("sqlite")
def test_no_form_breaks_that_is_sent_over_words_that_nobody_knows(
    app: Flask, operator: Browser, ours: Mapping[str, str], store: Store
) -> None:
    forms = {}
    for rule, method in addresses(app):
        if method == "GET":
            answer = ask_address(operator, rule, method, ours)
            for form in FORM.findall(answer.text) if answer.mimetype == "text/html" else ():
                action = _ACTION.match(form)
                forms[unescape(action[1]) if action else rule.rule] = controls_of(form)
    for column in _JSON:
        spoil_column(store, column)
    found = []
    # What ends or deletes comes last.
    for path in sorted(forms, key=lambda path: bool(_ENDS.search(path))):
        if path.startswith(operator.home):
            try:
                status = operator.post(path.removeprefix(operator.home), forms[path]).status_code
            except Exception as failure:  # a test's client raises what a server answers with 500
                found.append(f"{path}: {failure!r}"[:300])
            else:
                found += [f"{path}: {status}"] if status >= 500 else []
    assert found == []
    assert len(forms) > 100


@pytest.mark.only_on("sqlite")
def test_words_that_nobody_knows_are_told_and_break_no_page(
    app: Flask, operator: Browser, ours: Mapping[str, str], store: Store
) -> None:
    spoilt = [
        column
        for column in _WORDS
        if column.table not in _OF_THE_READER and spoil_words(store, column)
    ]
    assert open_every_page(app, operator, ours) == []
    assert len(spoilt) > 40
    told = operator.get(f"/reservations/{ours['reservation_id']}?lang=en")
    assert told.status_code == 409
    assert "cannot be read" in told.text


_READERS: Final[defaultdict[str, list[Rule]]] = defaultdict(list)
"""The pages that read each table, once a process."""


@pytest.fixture
def readers(app: Flask, operator: Browser, ours: Mapping[str, str]) -> Mapping[str, Sequence[Rule]]:
    """Return the pages that read each table."""
    if _READERS:
        return _READERS
    asked: list[str] = []

    def trace(driver: Any, *_: Any) -> None:
        driver.set_trace_callback(asked.append)

    sa.event.listen(Pool, "checkout", trace)
    try:
        for rule, method in addresses(app):
            if method == "GET":
                asked.clear()
                ask_address(operator, rule, method, ours)
                for table in set(_WORD.findall(" ".join(asked))) & metadata.tables.keys():
                    _READERS[table].append(rule)
    finally:
        sa.event.remove(Pool, "checkout", trace)
    assert len(_READERS) > 100
    return _READERS


@pytest.mark.only_on("sqlite")
@pytest.mark.thorough("the words of all tables are spoilt at once in the quick tier")
@pytest.mark.parametrize("table", sorted({column.table for column in _WORDS} - _OF_THE_READER))
def test_no_page_breaks_with_the_words_of_one_table_spoilt(
    operator: Browser,
    ours: Mapping[str, str],
    store: Store,
    readers: Mapping[str, Sequence[Rule]],
    table: str,
) -> None:
    for column in _WORDS:
        if column.table == table:
            spoil_words(store, column)
    KeptAnswers.forget_all()
    assert open_pages(operator, ours, readers[table]) == []


@pytest.mark.only_on("sqlite")
@pytest.mark.thorough("all tables are spoilt at once in the quick tier")
@pytest.mark.parametrize("table", sorted({column.table for column in _JSON}))
def test_no_page_breaks_with_the_columns_of_one_table_spoilt(
    operator: Browser,
    ours: Mapping[str, str],
    store: Store,
    readers: Mapping[str, Sequence[Rule]],
    table: str,
) -> None:
    for column in _JSON:
        if column.table == table:
            spoil_column(store, column)
    KeptAnswers.forget_all()
    assert open_pages(operator, ours, readers[table]) == []
