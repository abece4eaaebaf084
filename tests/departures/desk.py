"""A desk where residents leave: an empty house, a clock, and audit events that commit one by one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, TypeVar

import pytest
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.errors import Problem
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.ledger.billing import bill_month
from pms.ledger.move_in_invoices import issue_move_in_invoice
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import EntryRecord, entries_of, standings
from pms.pricing.models import PricePeriod, PricingSnapshot
from pms.reservations.models import ForcedMonthToMonth, Reservation
from pms.rules.enumerations import RecurringItem
from pms.rules.ledger_entries import EntryBalance
from pms.rules.price_changes import PriceSpan
from pms.workspaces.models import PolicyRow
from tests.cast import LONG_AGO, building, owner, reservation, unit, workspace
from tests.row_counts import row_counts

STAFF = "staff:aoi"
RENT_93 = (PriceSpan(date(2020, 1, 1), None, {"base_rent": 93_000}),)

Answer = TypeVar("Answer")


def day(text: str) -> date:
    return date.fromisoformat(text)


@dataclass
class Desk:
    """Staff of one workspace; every audit event is a transaction of its own."""

    database: Database
    clock: FixedClock
    workspace_id: str
    building_id: str

    def on(self, text: str) -> FixedClock:
        """Let the days pass, or come back, to noon of one in Japan."""
        noon = datetime.fromisoformat(f"{text}T03:00").replace(tzinfo=UTC)
        self.clock.advance(noon - self.clock.now())
        return self.clock

    def do(self, verb: Callable[..., Answer], **facts: Any) -> Answer:
        with self.database.writing(self.workspace_id) as session:
            return verb(Work(session, self.clock, STAFF), **facts)

    def ask(self, question: Callable[..., Answer], *facts: Any, **more: Any) -> Answer:
        with self.database.reading(self.workspace_id) as session:
            return question(session, *facts, **more)

    def add(self, *rows: Base) -> None:
        with self.database.writing(self.workspace_id) as session:
            session.add_all(rows)

    def room(self) -> str:
        id_ = new_id()
        self.add(unit(id=id_, building_id=self.building_id, name=id_[-6:], slug=f"room-{id_}"))
        return id_

    def resident(
        self, start: str, end: str | None, prices: Sequence[PriceSpan] = RENT_93, **given: Any
    ) -> str:
        """Somebody who lives in a room of their own, with a price and nothing billed yet."""
        id_, unit_id = new_id(), given.pop("unit_id", None) or self.room()
        days = {"move_in_date": day(start), "contract_end_date": day(end) if end else None}
        amounts = {"reservation_fee_yen": 0, "deposit_yen": 0}
        self.add(reservation(id=id_, unit_id=unit_id, **{**days, **amounts, **given}))
        self.add(*_price_rows(id_, prices))
        return id_

    def force(self, reservation_id: str, on: str, cleared: str | None = None) -> None:
        at = datetime.fromisoformat(f"{on}T03:00").replace(tzinfo=UTC)
        cleared_at = datetime.fromisoformat(f"{cleared}T03:00+00:00") if cleared else None
        flag = ForcedMonthToMonth(
            reservation_id=reservation_id,
            set_at=at,
            set_by=STAFF,
            cleared_at=cleared_at,
            cleared_by=STAFF if cleared else None,
        )
        self.add(flag)

    def policy(self, **figures: Any) -> None:
        with self.database.writing(self.workspace_id) as session:
            row = session.scalars(select(PolicyRow)).one()
            for name, value in figures.items():
                setattr(row, name, value)

    def invoice(self, reservation_id: str) -> None:
        self.do(issue_move_in_invoice, reservation_id=reservation_id)

    def bill(self, on: str) -> None:
        self.on(on)
        self.do(bill_month)

    def pay(self, reservation_id: str, yen: int, entry_id: str | None = None) -> None:
        facts = {"reservation_id": reservation_id, "amount_yen": yen, "entry_id": entry_id}
        self.do(record_payment, **facts)

    def pay_all(self, reservation_id: str) -> None:
        """Pay what is open of every entry."""
        open_yen = sum(entry.open_yen for entry in self.standings(reservation_id))
        if open_yen:
            self.pay(reservation_id, open_yen)

    def row(self, reservation_id: str) -> Reservation:
        with self.database.reading(self.workspace_id) as session:
            is_it = Reservation.id == reservation_id
            return session.scalars(select(Reservation).where(is_it)).one()

    def standings(self, reservation_id: str) -> Sequence[EntryBalance]:
        return self.ask(standings, (reservation_id,), self.clock.today()).get(reservation_id, ())

    def entries(self, reservation_id: str, kind: str) -> list[EntryRecord]:
        found = self.ask(entries_of, reservation_id)
        return [entry for entry in found if entry.kind == kind]

    def counts(self) -> dict[str, Any]:
        """How many rows every table has, and the version of every reservation."""
        with self.database.reading(self.workspace_id) as session:
            versions = session.execute(select(Reservation.id, Reservation.version))
            held = {row.id: row.version for row in versions}
        return {**row_counts(self.database), "versions": held}

    @contextmanager
    def refuses(self, *saying: str, as_: type[Problem]) -> Iterator[None]:
        """What happens inside is refused in these words, and nothing at all is written."""
        before = self.counts()
        with pytest.raises(as_) as refusal:
            yield
        assert not [words for words in saying if words not in refusal.value.message], (
            refusal.value.message
        )
        assert self.counts() == before


def _price_rows(reservation_id: str, periods: Sequence[PriceSpan]) -> Iterator[Base]:
    items = {f"{item.value}_yen": item.value for item in RecurringItem}
    for number, period in enumerate(periods):
        yen = {column: period.amounts.get(item, 0) for column, item in items.items()}
        if number == 0:
            yield PricingSnapshot(reservation_id=reservation_id, frozen_at=LONG_AGO, **yen)
        days = {"first_on": period.first_on, "last_on": period.last_on}
        yield PricePeriod(reservation_id=reservation_id, **days, **yen)


def open_desk(database: Database, clock: FixedClock) -> Desk:
    with database.across_workspaces_writing() as session:
        founded = workspace(slug="sumida", name="隅田シェアハウス")
        session.add(founded)
    owner_id, building_id = new_id(), new_id()
    desk = Desk(database, clock, founded.id, building_id)
    desk.add(owner(id=owner_id), PolicyRow(id=founded.id))
    desk.add(building(id=building_id, owner_id=owner_id))
    return desk
