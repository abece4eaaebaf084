"""Sumida's resident with half a year of bills: two of them are overdue on the day of the tests."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Connection, event

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.ledger.billing import bill_month
from pms.ledger.move_in_invoices import issue_move_in_invoice
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import EntryRecord, entries_of, standings
from pms.rules.ledger_entries import EntryBalance
from tests.cast import Cast, House

STAFF = "staff:aoi"


@dataclass
class Books:
    """The money of one house, and the clock that tells its days."""

    database: Database
    clock: FixedClock
    house: House

    @property
    def resident_id(self) -> str:
        return self.house.resident_id

    def on(self, day: str) -> None:
        """Let it be noon of a day in Japan."""
        noon = datetime.fromisoformat(f"{day}T03:00").replace(tzinfo=UTC)
        self.clock.advance(noon - self.clock.now())

    def do(self, verb: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Let somebody do one audit event, in one transaction."""
        with self.database.writing(self.house.workspace_id) as session:
            return verb(Work(session, self.clock, STAFF), *given, **named)

    def ask(self, question: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Ask one question."""
        with self.database.reading(self.house.workspace_id) as session:
            return question(session, *given, **named)

    def do_pay(self, yen: int) -> None:
        """Let the resident pay, oldest bill first."""
        self.do(record_payment, reservation_id=self.resident_id, amount_yen=yen)

    def entry(self, label_en: str) -> EntryRecord:
        """Return the bill of that name."""
        found: tuple[EntryRecord, ...] = self.ask(entries_of, self.resident_id)
        return next(entry for entry in found if entry.label.en == label_en)

    def standing(self, label_en: str) -> EntryBalance:
        """Return how the bill of that name stands today."""
        entry_id = self.entry(label_en).id
        found: Mapping[str, tuple[EntryBalance, ...]] = self.ask(
            standings, [self.resident_id], self.clock.today()
        )
        return next(one for one in found[self.resident_id] if one.id == entry_id)

    @contextmanager
    def counted(self) -> Iterator[list[str]]:
        """Note every statement that is sent to the database inside."""
        sent: list[str] = []

        def note(connection: Connection, cursor: Any, statement: str, *rest: Any) -> None:
            # PostgreSQL alone is told the workspace, once a transaction.
            is_question = statement.lstrip().upper().startswith(("SELECT", "WITH"))
            if is_question and "set_config" not in statement:
                sent.append(statement)

        event.listen(self.database.engine, "before_cursor_execute", note)
        try:
            yield sent
        finally:
            event.remove(self.database.engine, "before_cursor_execute", note)


@pytest.fixture
def books(database: Database, clock: FixedClock, cast: Cast) -> Books:
    """216,000 for the move-in, then 93,000 a month; October and November are not paid."""
    found = Books(database, clock, cast.sumida)
    found.on("2026-03-20")
    found.do(issue_move_in_invoice, reservation_id=found.resident_id)
    found.do(record_payment, reservation_id=found.resident_id, amount_yen=216_000)
    found.on("2026-09-25")
    found.do(bill_month)
    found.do(record_payment, reservation_id=found.resident_id, amount_yen=465_000)
    found.on("2026-10-25")
    found.do(bill_month)
    found.on("2026-11-20")
    return found
