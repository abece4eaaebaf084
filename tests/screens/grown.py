"""A workspace many times as large: each of its rows is written again under ids of its own."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import (
    CHAR,
    Column,
    Connection,
    Integer,
    String,
    Table,
    UniqueConstraint,
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
        "site_configuration",
        "auth_session",
        "sign_in_event",
        "sign_in_policy",
        # What is not written is made again, and the database notes what is.
        *("bank_change", "bank_matching", "bank_verdict", "bank_verdict_key"),
    }
)
_COPIES: Final = """WITH RECURSIVE copies(n) AS (
    SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < {more}
) INSERT INTO {table} ({columns}) SELECT {values} FROM {table}, copies
WHERE {table}.workspace_id = :workspace_id ON CONFLICT DO NOTHING"""
# Ids stay in the order of their time, which their first digits tell.
_OTHER_ID: Final = {
    "sqlite": "substr({0}, 1, 12) || printf('%04x', n) || substr({0}, 17)",
    "postgresql": "CAST(substr(replace(CAST({0} AS text), '-', ''), 1, 12)"
    " || lpad(to_hex(n), 4, '0') || substr(replace(CAST({0} AS text), '-', ''), 17) AS uuid)",
}
# Of many residents few share a whole name: two copies differ in two letters at least.
_LETTERS: Final = "'アアイイウウエエオオカカキキククケケココ'"
_OTHER_NAME: Final = (
    f"{{0}} || substr({_LETTERS}, 1 + n % 10 * 2, 2) || substr({_LETTERS}, 1 + n / 10 % 10 * 2, 2)"
)
_NAMES: Final = frozenset(
    {("reservation", "name"), ("reservation", "name_kana"), ("bank_transfer", "payer")}
)


def grow(connection: Connection, workspace_id: str, times: int) -> None:
    """Make a workspace so many times as large; the connection obeys no foreign keys meanwhile.

    What there is once a workspace or once a day stays as it is. Other people have other names and
    addresses; a company that pays stays one.
    """
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


def _grows(table: Table) -> bool:
    is_of_workspace = {"workspace_id", "id"} <= set(table.c.keys())
    return is_of_workspace and table.name not in _AS_THEY_ARE


def _values(table: Table, grown: frozenset[str], kind: str) -> Mapping[str, str]:
    ids = {"id"} | {
        key.parent.name
        for key in table.foreign_keys
        if key.column.table.name in grown and key.parent.name != "workspace_id"
    }
    alone = _told_apart(table, ids)
    found = {}
    for column in table.columns:
        value = f'{table.name}."{column.name}"'
        if column.name in ids:
            value = _OTHER_ID[kind].format(value)
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


def copy_rows(of: Connection, to: Connection) -> None:
    """Write every row of one database into another, empty one of any kind."""
    for table in Base.metadata.sorted_tables:
        columns = [column for column in table.c if column.computed is None]
        rows = [dict(row) for row in of.execute(select(*columns)).mappings()]
        if rows:
            to.execute(insert(table), rows)
