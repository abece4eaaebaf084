"""A workspace many times as large: each of its rows is written again under ids of its own."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import (
    CHAR,
    URL,
    Column,
    Connection,
    Integer,
    String,
    Table,
    UniqueConstraint,
    create_engine,
    insert,
    select,
    text,
)

from pms.foundation.db import Base

# Who works in a workspace and how it is set up stays as it is, however many rooms it has.
_AS_THEY_ARE: Final = frozenset(
    {
        "member",
        "fee",
        "api_key",
        "stay_terms",
        "personal_data_terms",
        "site_configuration",
        "auth_session",
        "sign_in_event",
        "sign_in_policy",
        # What is not written is made again, and the database notes what is.
        *("bank_change", "bank_matching", "bank_verdict", "bank_verdict_payee"),
        *("bank_reading", "bank_reading_key", "kept_figure"),
    }
)
_COPIES: Final = """WITH RECURSIVE copies(n) AS (
    SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < {more}
) INSERT INTO {table} ({columns}) SELECT {values} FROM {table}, copies
WHERE {table}.workspace_id = :workspace_id ON CONFLICT DO NOTHING"""
# Ids stay in the order of their time, which their first digits tell; a link is one row's.
_NUMBER: Final = {"sqlite": "printf('%04x', n)", "postgresql": "lpad(to_hex(n), 4, '0')"}
_OTHER_TEXT: Final = "substr({0}, 1, 12) || {1} || substr({0}, 17)"
_OTHER_ID: Final = {
    "sqlite": _OTHER_TEXT,
    "postgresql": "CAST(substr(replace(CAST({0} AS text), '-', ''), 1, 12)"
    " || {1} || substr(replace(CAST({0} AS text), '-', ''), 17) AS uuid)",
}
_OF_A_LINK: Final = frozenset({"nonce", "token_hash"})
# Of many residents few share a whole name: two copies differ in two letters at least.
_LETTERS: Final = "'アアイイウウエエオオカカキキククケケココ'"
_OTHER_NAME: Final = (
    f"{{0}} || substr({_LETTERS}, 1 + n % 10 * 2, 2) || substr({_LETTERS}, 1 + n / 10 % 10 * 2, 2)"
)
_NAMES: Final = frozenset(
    {("reservation", "name"), ("reservation", "name_kana"), ("bank_transfer", "payer")}
)


def grow_database(url: str | URL, workspace_id: str, times: int) -> None:
    """Make a workspace of a database so many times as large; on PostgreSQL as the superuser.

    What there is once a workspace or once a day stays as it is. Other people have other names and
    addresses; a company that pays stays one.
    """
    engine = create_engine(url)
    with engine.begin() as connection:
        kept = _forget_rules(connection)
        _write_copies(connection, workspace_id, times)
        for statement in kept:
            connection.exec_driver_sql(statement)
    engine.dispose()


def _write_copies(connection: Connection, workspace_id: str, times: int) -> None:
    grown = [table for table in Base.metadata.sorted_tables if _grows(table)]
    names = frozenset(table.name for table in grown)
    for table in grown:
        values = _values(table, names, connection.dialect.name)
        statement = _COPIES.format(
            more=times - 1,
            table=table.name,
            columns=", ".join(f'"{name}"' for name in values),
            values=", ".join(values.values()),
        )
        connection.execute(text(statement), {"workspace_id": workspace_id})


def copy_database(of: str | URL, to: str | URL) -> None:
    """Write every row of one database into another, empty one of any kind."""
    old_engine, new_engine = create_engine(of), create_engine(to)
    with old_engine.connect() as old, new_engine.begin() as new:
        _forget_rules(new)
        for table in Base.metadata.sorted_tables:
            columns = [column for column in table.c if column.computed is None]
            rows = [dict(row) for row in old.execute(select(*columns)).mappings()]
            if rows:
                new.execute(insert(table), rows)
    old_engine.dispose()
    new_engine.dispose()


def _forget_rules(connection: Connection) -> Sequence[str]:
    """Have what is copied obey no foreign key or trigger; return what brings the rules back."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        return ()
    # Entries of an index are written all over it: with a small cache each page is many times.
    connection.exec_driver_sql("PRAGMA cache_size = -1000000")
    triggers = connection.exec_driver_sql(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
    ).all()
    for name, _sql in triggers:
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
    return [sql for _name, sql in triggers]


def _grows(table: Table) -> bool:
    is_of_workspace = {"workspace_id", "id"} <= set(table.c.keys())
    return is_of_workspace and table.name not in _AS_THEY_ARE


def _values(table: Table, grown: frozenset[str], kind: str) -> Mapping[str, str]:
    ids = {"id"} | {
        key.parent.name
        for key in table.foreign_keys
        if key.column.table.name in grown and key.parent.name != "workspace_id"
    }
    # What the database adds up of an entry names its reservation without a key.
    ids |= {"reservation_id"} & set(table.c.keys())
    alone = _told_apart(table, ids)
    found = {}
    for column in table.columns:
        value = f'{table.name}."{column.name}"'
        if column.name in ids:
            value = _OTHER_ID[kind].format(value, _NUMBER[kind])
        elif column.name in _OF_A_LINK:
            value = _OTHER_TEXT.format(value, _NUMBER[kind])
        elif (table.name, column.name) in _NAMES:
            other = _OTHER_NAME.format(value)
            value = f"CASE WHEN {value} LIKE '%（%' OR {value} LIKE '%）%' OR {value} = '' THEN {value} ELSE {other} END"
        elif column.name in {"email", "email_key", "recipient"}:
            value = f"n || '-' || {value}"
        elif column.name in alone:
            value = f"{value} || '-' || n" if _is_text(column) else f"{value} + n * 1000000"
        found[column.name] = value
    return found


def _told_apart(table: Table, ids: set[str]) -> set[str]:
    """Return the columns that no two rows may share, where no id among them differs already."""
    found: set[str] = set()
    for columns in _unique(table):
        if not ids & {one.name for one in columns}:
            texts = {one.name for one in columns if _is_text(one)}
            found |= texts or {one.name for one in columns if isinstance(one.type, Integer)}
    return found


def _unique(table: Table) -> list[list[Column[object]]]:
    constraints = [
        list(one.columns) for one in table.constraints if isinstance(one, UniqueConstraint)
    ]
    return constraints + [list(one.columns) for one in table.indexes if one.unique]


def _is_text(column: Column[object]) -> bool:
    return isinstance(column.type, String) and not isinstance(column.type, CHAR)
