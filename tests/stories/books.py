"""What stands in the tables of one workspace, read in plain SQL and by none of the program."""

import hashlib
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import text

from pms.foundation.database import Database

TABLES = (
    "allocation",
    "amendment",
    "billed_row",
    "co_occupant",
    "deduction",
    "deposit_move",
    "forced_month_to_month",
    "frozen_discount",
    "ledger_entry",
    "ledger_line",
    "move_out_notice",
    "notice_filing",
    "payment",
    "payment_return",
    "period_fee",
    "price_period",
    "pricing_snapshot",
    "refund",
    "reservation",
    "row_extent",
    "settlement",
)
"""Everything a use case of money may write."""

_ENTRIES = """
    SELECT e.id, e.kind, e.period, e.due_on, e.issued_on, e.arrears_of_id, e.cancelled_yen,
        (SELECT o.issued_on FROM ledger_entry o
         WHERE o.workspace_id = e.workspace_id AND o.opposes_id = e.id)
    FROM ledger_entry e
    WHERE e.workspace_id = :workspace AND e.reservation_id = :reservation
        AND e.kind <> 'opposite'
    ORDER BY e.issued_on, e.period, e.id"""

_ROWS = """
    SELECT r.id, r.entry_id, r.kind, r.first_on,
        (SELECT CASE WHEN x.last_on >= r.first_on THEN x.last_on END FROM row_extent x
         WHERE x.workspace_id = r.workspace_id AND x.row_id = r.id
         ORDER BY x.number DESC LIMIT 1)
    FROM billed_row r
    WHERE r.workspace_id = :workspace AND r.reservation_id = :reservation
    ORDER BY r.first_on, r.id"""

_LINES = """
    SELECT l.row_id, l.item, l.first_on, l.last_on, sum(l.amount_yen)
    FROM ledger_line l JOIN billed_row r ON r.workspace_id = l.workspace_id AND r.id = l.row_id
        AND r.entry_id = l.entry_id
    WHERE l.workspace_id = :workspace AND r.reservation_id = :reservation
    GROUP BY l.row_id, l.item, l.first_on, l.last_on
    HAVING sum(l.amount_yen) <> 0"""


class Entry(NamedTuple):
    """One ledger entry, without its opposite; days as ISO text."""

    id: str
    kind: str
    period: str
    due_on: str
    issued_on: str
    arrears_of_id: str | None
    cancelled_yen: int
    voided_on: str | None

    @property
    def name(self) -> str:
        """What the stories call it; charges they name themselves."""
        names = {"move_in": "move-in", "rent": f"rent {self.period[:7]}", "penalty": "penalty"}
        return names.get(self.kind, f"{self.kind} {self.period}")


class StandingLine(NamedTuple):
    """One item of a row over one run of days, after everything that reversed it."""

    item: str
    first_on: str
    last_on: str
    yen: int


class StandingRow(NamedTuple):
    """A billed run of days as it stands; without a last day it has netted to 0."""

    id: str
    entry_id: str
    kind: str
    first_on: str
    last_on: str | None
    lines: tuple[StandingLine, ...]

    @property
    def total_yen(self) -> int:
        return sum(line.yen for line in self.lines)


class Books:
    """The tables of one workspace."""

    def __init__(self, database: Database, workspace_id: str) -> None:
        self.database = database
        self.workspace_id = workspace_id

    def ask(self, sql: str, **values: object) -> list[tuple[Any, ...]]:
        """Return the answers with ids as hexadecimal digits, days as ISO text and whole yen."""
        values = {"workspace": self.workspace_id, **values}
        with self.database.connection_across_workspaces() as connection:
            answers = connection.execute(text(sql), values)
            return [tuple(_plain(value) for value in row) for row in answers]

    def number(self, sql: str, **values: object) -> int:
        """Return the only figure of an answer, 0 for nothing."""
        ((found,),) = self.ask(sql, **values)
        return int(found or 0)

    def entries(self, reservation_id: str) -> list[Entry]:
        return [Entry(*row) for row in self.ask(_ENTRIES, reservation=reservation_id)]

    def rows(self, reservation_id: str) -> list[StandingRow]:
        """Return every billed row, of voided entries too, in the order of their first day."""
        lines: dict[str, list[StandingLine]] = {}
        for row_id, *line in self.ask(_LINES, reservation=reservation_id):
            lines.setdefault(row_id, []).append(StandingLine(*line))
        return [
            StandingRow(id_, entry_id, kind, first_on, last_on, tuple(lines.get(id_, ())))
            for id_, entry_id, kind, first_on, last_on in self.ask(
                _ROWS, reservation=reservation_id
            )
        ]

    def total_yen(self, entry_id: str) -> int:
        """Return an entry's total: the sum of its lines."""
        return self.number(
            "SELECT sum(amount_yen) FROM ledger_line"
            " WHERE workspace_id = :workspace AND entry_id = :entry",
            entry=entry_id,
        )

    def paid_yen(self, entry_id: str) -> int:
        return self.number(
            "SELECT sum(amount_yen) FROM allocation"
            " WHERE workspace_id = :workspace AND entry_id = :entry",
            entry=entry_id,
        )

    def imprint(self) -> dict[str, str]:
        """Return the number of rows of every table with a hash of all that is in them."""
        return {table: self.imprint_of(table) for table in TABLES}

    def imprint_of(self, table: str) -> str:
        rows = self.ask(f"SELECT * FROM {table} WHERE workspace_id = :workspace ORDER BY id")
        return f"{len(rows)} {hashlib.sha256(repr(rows).encode()).hexdigest()}"


def _plain(value: Any) -> Any:
    """The two databases hand out ids, days and sums as different types."""
    if isinstance(value, UUID):
        return value.hex
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value)
    return value


def named(entries: Sequence[Entry], name: str) -> Entry:
    """Return the entry of a name that stands; of one billed again after a void, the latest."""
    found = [entry for entry in entries if entry.name == name]
    return max(found, key=lambda entry: (entry.voided_on is None, entry.issued_on, entry.id))
