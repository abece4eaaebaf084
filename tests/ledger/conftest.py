"""A workspace with empty rooms, and a resident whose ledger the tests write."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy.orm import Session

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.billing import BilledMonth, bill_month
from pms.ledger.move_in_invoices import issue_move_in_invoice
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import EntryRecord, entries_of
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.pricing.prices import freeze_price
from pms.rules.enumerations import Lifecycle
from tests.cast import building, owner, reservation, unit, workspace

ACTOR = "staff:tanaka"
OCCUPIED = MonthlyAmounts(
    base_rent_yen=68_000, utilities_yen=12_000, building_maintenance_yen=3_000
)


@dataclass
class Books:
    """The ledger of one workspace, and the clock the tests turn."""

    database: Database
    clock: FixedClock
    workspace_id: str
    building_id: str
    rooms: int = 0

    def at(self, day: date) -> FixedClock:
        """Turn the clock to noon of a day in Japan."""
        noon = datetime(day.year, day.month, day.day, 3, 0, tzinfo=UTC)
        self.clock.advance(noon - self.clock.now())
        return self.clock

    def room(self) -> str:
        self.rooms += 1
        id_ = new_id()
        with self.writing() as session:
            session.add(
                unit(id=id_, building_id=self.building_id, name=f"{self.rooms}", slug=f"r-{id_}")
            )
        return id_

    def writing(self) -> Any:
        return self.database.writing(self.workspace_id)

    def reading(self) -> Any:
        return self.database.reading(self.workspace_id)

    def do(self, verb: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Let staff do one audit event, in one transaction."""
        with self.writing() as session:
            return verb(Work(session, self.clock, ACTOR), *given, **named)

    def resident(
        self,
        start_on: date,
        end_on: date | None,
        *,
        amounts: MonthlyAmounts | None = OCCUPIED,
        fees: tuple[MonthlyFee, ...] = (),
        discount: AgreedDiscount | None = None,
        **given: Any,
    ) -> str:
        """Book a room with a price, without an invoice."""
        id_ = new_id()
        with self.writing() as session:
            session.add(
                reservation(
                    id=id_,
                    unit_id=given.pop("unit_id", None) or self.room_in(session),
                    move_in_date=start_on,
                    contract_end_date=end_on,
                    **{"reservation_fee_yen": 0, "deposit_yen": 0, "lifecycle": Lifecycle.LIVING}
                    | given,
                )
            )
            session.flush()
            if amounts is not None:
                freeze_price(
                    session,
                    self.clock,
                    reservation_id=id_,
                    first_on=start_on,
                    amounts=amounts,
                    fees=fees,
                    discount=discount,
                )
        return id_

    def room_in(self, session: Session) -> str:
        self.rooms += 1
        id_ = new_id()
        session.add(
            unit(id=id_, building_id=self.building_id, name=f"{self.rooms}", slug=f"r-{id_}")
        )
        session.flush()
        return id_

    def booked(self, on: date, start_on: date, end_on: date | None, **given: Any) -> str:
        """Book a room on a day, with its move-in invoice."""
        self.at(on)
        id_ = self.resident(start_on, end_on, **given)
        self.do(issue_move_in_invoice, reservation_id=id_)
        return id_

    def bill(self, on: date, **named: Any) -> BilledMonth:
        self.at(on)
        billed: BilledMonth = self.do(bill_month, **named)
        return billed

    def pay(self, on: date, reservation_id: str, yen: int, entry: EntryRecord | None = None) -> str:
        self.at(on)
        payment_id: str = self.do(
            record_payment,
            reservation_id=reservation_id,
            amount_yen=yen,
            entry_id=entry.id if entry else None,
        )
        return payment_id

    def entries(self, reservation_id: str) -> tuple[EntryRecord, ...]:
        with self.reading() as session:
            return entries_of(session, reservation_id)

    def entry(self, reservation_id: str, kind: str, period: str | None = None) -> EntryRecord:
        return next(
            entry
            for entry in self.entries(reservation_id)
            if entry.kind == kind and period in {None, entry.period}
        )


@pytest.fixture
def books(database: Database, clock: FixedClock) -> Books:
    """An empty house of one workspace."""
    with database.across_workspaces_writing() as session:
        founded = workspace(slug="sumida", name="隅田シェアハウス")
        session.add(founded)
    owner_id, building_id = new_id(), new_id()
    with database.writing(founded.id) as session:
        session.add(owner(id=owner_id))
        session.flush()
        session.add(building(id=building_id, owner_id=owner_id))
    return Books(database, clock, founded.id, building_id)


def in_both(ja: str, en: str) -> Bilingual:
    return Bilingual(ja, en)
