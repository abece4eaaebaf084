"""What processes share of the figures follows every change that they are made of."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any, Final

import pytest
from sqlalchemy import event, select

from pms.accounting.closings import close_month, reopen_month
from pms.accounting.months import latest_closing
from pms.arrivals.bookings import book
from pms.catalogue.buildings import name_building_owner
from pms.catalogue.models import Building, Owner, Unit
from pms.departures.notices import file_notice
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.errors import Problem
from pms.foundation.ids import new_id
from pms.foundation.kept_figures import KeptFigure
from pms.foundation.phrases import Bilingual
from pms.ledger.billing import bill_month
from pms.ledger.charges import post_charge
from pms.ledger.models import Payment
from pms.ledger.payment_plan import record_payment
from pms.ledger.payments import return_payment
from pms.ledger.posting import void_unpaid_entry
from pms.pricing.models import PricePeriod
from pms.reservations.models import Reservation
from pms.rules.days import add_months, month_first
from pms.rules.enumerations import FeeCategory
from pms.statements.owner_money import post_owner_deduction
from pms.statements.owner_publishing import publish_statement
from pms.statements.owner_terms import agree_terms
from tests import cast
from tests.accounting.accountant import same_as_shared
from tests.stories.house import House, open_house
from tests.stories.tenancy import booking, living

pytestmark = pytest.mark.differs("sums in SQL, and what is written beside")

FOLLOWS: Final[Mapping[str, str]] = {
    "audit_record": "tells whose building it was, and is written with the building",
    "billed_row": "is written with the entry that bills its days",
    "row_extent": "is written by the database with the lines of its row",
    "kept_figure": "is what was made of these, and is read only while it is of their counters",
}
"""What figures are made of and raises no counter itself, and why none is wrong for it."""


@dataclass
class Office:
    """An owner's house with a resident, and what happens there."""

    house: House
    who: str
    charges: list[str] = field(default_factory=list)
    rooms: int = 101

    def rename_all(self, *models: type[Any]) -> None:
        with self.house.database.writing(self.house.workspace_id) as session:
            for model in models:
                for row in session.scalars(select(model)):
                    row.name += "改"

    def month(self, back: int) -> date:
        return add_months(month_first(self.house.today), -back)

    def charge(self) -> None:
        label = Bilingual("鍵交換", "New lock")
        asked: dict[str, Any] = {"reservation_id": self.who, "amount_yen": 22_000, "label": label}
        self.charges.append(self.house.do(post_charge, category=FeeCategory.SERVICE, **asked))

    def void(self) -> None:
        if self.charges:
            self.house.do(void_unpaid_entry, self.charges.pop())

    def be_paid(self) -> None:
        self.house.do(record_payment, reservation_id=self.who, amount_yen=10_000)

    def be_paid_earlier(self) -> None:
        day = self.house.today - timedelta(days=12)
        self.house.do(record_payment, reservation_id=self.who, amount_yen=3_000, received_on=day)

    def give_back(self) -> None:
        id_ = self.house.ask(lambda session: session.scalars(select(Payment.id)).first())
        asked: dict[str, Any] = {"amount_yen": 1_000, "reference": new_id()}
        self.house.do(return_payment, payment_id=str(id_), **asked)

    def bill(self) -> None:
        self.house.do(bill_month)

    def let_days_pass(self) -> None:
        self.house.days_pass(9)

    def rename_residents(self) -> None:
        self.rename_all(Reservation)

    def rename_house_and_owner(self) -> None:
        self.rename_all(Unit, Building, Owner)

    def ask_another_rent(self) -> None:
        with self.house.database.writing(self.house.workspace_id) as session:
            for period in session.scalars(select(PricePeriod)):
                period.base_rent_yen += 1_000

    def add_room(self) -> None:
        self.rooms += 1
        self.house.room(str(self.rooms))

    def book_room(self) -> None:
        self.add_room()
        facts = {**booking(self.house, str(self.rooms)), "name": "鈴木 次郎"}
        facts |= {"move_in_date": self.house.today, "contract_end_date": None}
        self.house.do(book, **facts)

    def agree_terms(self) -> None:
        asked: dict[str, Any] = {
            "from_on": self.month(1),
            "management_percent": Decimal("7.5"),
            "payout_day": 15,
        }
        self.house.do(
            agree_terms, building_id=self.house.building_id, payout_account="銀行 1234567", **asked
        )

    def charge_owner(self) -> None:
        asked: dict[str, Any] = {
            "amount_yen": 5_500,
            "deducted_on": self.house.today - timedelta(days=20),
        }
        self.house.do(
            post_owner_deduction,
            building_id=self.house.building_id,
            category=FeeCategory.REPAIR,
            label=Bilingual("修繕", "Repair"),
            **asked,
        )

    def publish(self) -> None:
        asked: dict[str, Any] = {"building_id": self.house.building_id, "month_on": self.month(1)}
        self.house.do(publish_statement, base_url="https://pms.example.jp", **asked)

    def close(self) -> None:
        self.house.do(close_month, month_on=self.month(1))

    def reopen(self) -> None:
        latest = self.house.ask(latest_closing)
        if latest is not None:
            self.house.do(reopen_month, closing_id=latest.id, reason="the bank erred")

    def name_no_owner(self) -> None:
        self.house.do(name_building_owner, building_id=self.house.building_id, owner_id=None)

    def be_left(self) -> None:
        day = self.house.today + timedelta(days=40)
        self.house.do(file_notice, reservation_id=self.who, move_out_on=day)


CHANGES: tuple[Callable[[Office], None], ...] = (
    Office.charge,
    Office.void,
    Office.charge,
    Office.be_paid,
    Office.be_paid_earlier,
    Office.give_back,
    Office.bill,
    Office.let_days_pass,
    Office.rename_residents,
    Office.rename_house_and_owner,
    Office.ask_another_rent,
    Office.add_room,
    Office.book_room,
    Office.agree_terms,
    Office.charge_owner,
    Office.publish,
    Office.close,
    Office.reopen,
)


@pytest.fixture
def office(database: Database, monkeypatch: pytest.MonkeyPatch) -> Office:
    monkeypatch.setattr("pms.foundation.kept_figures.LONG_SECONDS", 0)
    house = open_house(database)
    who = living(house)
    owner_id = new_id()
    with database.writing(house.workspace_id) as session:
        session.add(cast.owner(id=owner_id))
    house.do(name_building_owner, building_id=house.building_id, owner_id=owner_id)
    return Office(house, who)


@pytest.mark.parametrize("seed", range(2))
def test_what_is_shared_follows_every_change_in_any_order(office: Office, seed: int) -> None:
    changes = list(CHANGES)
    Random(seed).shuffle(changes)
    same_as_shared(office.house)
    done = set()
    for change in (*changes, Office.name_no_owner, Office.be_left):
        with suppress(Problem):
            change(office)
            done.add(change)
        same_as_shared(office.house)
    assert len(done) > len(set(CHANGES)) - 3, "nearly all of them are allowed at any time"


def test_all_that_figures_are_made_of_raises_a_counter_when_it_is_written(office: Office) -> None:
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    office.agree_terms()
    office.charge_owner()
    event.listen(office.house.database.engine, "before_cursor_execute", note)
    try:
        same_as_shared(office.house)
    finally:
        event.remove(office.house.database.engine, "before_cursor_execute", note)
    read = {name for text in asked for name in re.findall(r"\b(?:FROM|JOIN) (\w+)", text)}
    raising = {
        str(getattr(mapper.local_table, "name", "")): getattr(mapper.class_, "raises_version", None)
        for mapper in Base.registry.mappers
    }
    assert {"reservation", "price_period", "owner_deduction", "external_block"} <= read
    silent = {name for name in read if name in raising and not raising[name]}
    assert silent <= set(FOLLOWS)


def test_accounts_of_payouts_are_not_stored_where_they_are_not_sealed(office: Office) -> None:
    office.agree_terms()
    same_as_shared(office.house)
    with office.house.database.reading(office.house.workspace_id) as session:
        values = session.scalars(select(KeptFigure.value)).all()
    assert values
    assert not [value for value in values if "1234567" in value]
