"""An office that books and changes reservations in a workspace with one building."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, TypeVar

import pytest
from sqlalchemy import select

from pms.arrivals.bookings import book
from pms.arrivals.lifecycles import move_in
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Problem
from pms.foundation.work import Work
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import standings
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.models import Reservation
from pms.rules.days import JAPAN
from pms.rules.enumerations import EntryKind, Lifecycle, ReservationKind
from pms.rules.ledger_entries import EntryBalance
from tests.row_counts import row_counts
from tests.surfaces.agent_api.asking import Home, empty_home

STAFF = "staff"
RENT = MonthlyAmounts(base_rent_yen=93_000)
RESIDENT, GUEST, OWNER = (
    ReservationKind.RESIDENT,
    ReservationKind.GUEST,
    ReservationKind.OWNER_RESIDENT,
)

Answer = TypeVar("Answer")


def day(text: str) -> date:
    """A day as the tests write it."""
    return date.fromisoformat(text)


@dataclass(frozen=True)
class Office:
    """Staff at work: each audit event is a transaction of its own."""

    home: Home
    clock: FixedClock

    @property
    def database(self) -> Database:
        return self.home.database

    def do(self, verb: Callable[..., Answer], **facts: Any) -> Answer:
        """Do one audit event and commit it, also what a refused one might have left behind."""
        with self.database.writing(self.home.workspace_id) as session:
            try:
                return verb(Work(session, self.clock, STAFF), **facts)
            except Problem:
                if session.is_active:
                    session.flush()
                    session.commit()
                raise

    def ask(self, question: Callable[..., Answer], *facts: Any, **more: Any) -> Answer:
        """Ask a question of a reading session."""
        with self.database.reading(self.home.workspace_id) as session:
            return question(session, *facts, **more)

    def book(self, unit_id: str, start: str, end: str | None, **facts: Any) -> str:
        """Book a resident into a unit; return the id of the reservation."""
        usual = {
            "kind": RESIDENT,
            "name": "田中 一郎",
            "amounts": RENT,
            "reservation_fee_yen": 30_000,
            "deposit_yen": 93_000,
        }
        days = {"move_in_date": day(start), "contract_end_date": end and day(end)}
        return self.do(book, unit_id=unit_id, **days, **usual | facts).reservation_id

    def house(self, unit_id: str, start: str, end: str | None, **facts: Any) -> str:
        """Book a resident whose start has come and record the move-in; return the id."""
        reservation_id = self.book(unit_id, start, end, **facts)
        self.do(move_in, reservation_id=reservation_id)
        return reservation_id

    def pay(self, reservation_id: str, yen: int) -> None:
        """Have money arrive today for the move-in invoice."""
        entry_id = self.ask(_invoice_id, reservation_id)
        self.do(record_payment, reservation_id=reservation_id, entry_id=entry_id, amount_yen=yen)

    def pay_all(self, reservation_id: str) -> None:
        """Have everything that is open arrive today, each on its own entry."""
        for standing in self.standings(reservation_id):
            if standing.open_yen:
                facts = {"entry_id": standing.id, "amount_yen": standing.open_yen}
                self.do(record_payment, reservation_id=reservation_id, **facts)

    def row(self, reservation_id: str) -> Reservation:
        """The reservation as it is stored."""
        with self.database.reading(self.home.workspace_id) as session:
            return session.scalars(
                select(Reservation).where(Reservation.id == reservation_id)
            ).one()

    def lifecycle(self, reservation_id: str) -> Lifecycle:
        """Where the reservation stands."""
        return self.row(reservation_id).lifecycle

    def standings(self, reservation_id: str) -> Sequence[EntryBalance]:
        """The entries of a reservation as they stand today."""
        return self.ask(standings, (reservation_id,), self.clock.today()).get(reservation_id, ())

    def lines(self, reservation_id: str) -> list[tuple[Any, ...]]:
        """Item, days and yen of every line of a reservation, in order."""
        with self.database.reading(self.home.workspace_id) as session:
            return [
                tuple(row)
                for row in session.execute(
                    select(
                        LedgerLine.item,
                        LedgerLine.first_on,
                        LedgerLine.last_on,
                        LedgerLine.amount_yen,
                    )
                    .join(LedgerEntry, LedgerEntry.id == LedgerLine.entry_id)
                    .where(LedgerEntry.reservation_id == reservation_id)
                    .order_by(LedgerEntry.id, LedgerLine.id)
                )
            ]

    def go_to(self, on: str) -> None:
        """Let the days pass until noon of one."""
        noon = datetime.fromisoformat(f"{on}T12:00").replace(tzinfo=JAPAN).astimezone(UTC)
        self.clock.advance(noon - self.clock.now())

    def counts(self) -> dict[str, int]:
        """How many rows every table has."""
        return row_counts(self.database)


def _invoice_id(session: Any, reservation_id: str) -> str:
    return str(
        session.scalars(
            select(LedgerEntry.id).where(
                LedgerEntry.reservation_id == reservation_id,
                LedgerEntry.kind == EntryKind.MOVE_IN,
            )
        ).one()
    )


@contextmanager
def refused(office: Office, saying: str, as_: type[Problem]) -> Iterator[None]:
    """What happens inside is refused by name, and nothing at all is written."""
    before = office.counts(), _reservations(office)
    with pytest.raises(as_) as refusal:
        yield
    assert saying in refusal.value.message
    assert before == (office.counts(), _reservations(office))


_COLUMNS = tuple(Reservation.__mapper__.column_attrs)


def _reservations(office: Office) -> list[dict[str, Any]]:
    with office.database.reading(office.home.workspace_id) as session:
        rows = session.scalars(select(Reservation).order_by(Reservation.id))
        return [{one.key: getattr(row, one.key) for one in _COLUMNS} for row in rows]


def open_office(database: Database, on: str = "2026-11-20") -> Office:
    """An office with an empty building, at noon of a day in Japan."""
    noon = datetime.fromisoformat(f"{on}T12:00").replace(tzinfo=JAPAN)
    return Office(empty_home(database), FixedClock(noon.astimezone(UTC)))
