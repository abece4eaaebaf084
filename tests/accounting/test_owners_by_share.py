"""The journals of a building with several owners name each owner's part, and add up to the whole."""

from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.accounting import charts, closings, months
from pms.accounting.charts import Encoding
from pms.accounting.months import MonthBooks
from pms.arrivals.bookings import book
from pms.catalogue.models import Building
from pms.catalogue.owners import write_shares
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.ledger.payment_plan import record_payment
from pms.rules.days import add_months, month_last
from pms.rules.enumerations import FeeCategory
from pms.rules.journal_files import Program
from pms.rules.journals import OWNERS_MONEY
from pms.statements.fee_invoices import owner_parts
from pms.statements.owner_figures import owner_figures
from pms.statements.owner_money import post_owner_deduction
from pms.statements.owner_publishing import publish_statement
from pms.statements.owner_terms import agree_terms
from tests import cast
from tests.accounting.accountant import agree
from tests.statements.postings import pay, post_entry, rent
from tests.stories.house import House, morning, open_house
from tests.stories.tenancy import booking

pytestmark = pytest.mark.differs("JSON of closed journals")
JANUARY, FEBRUARY = date(2025, 1, 1), date(2025, 2, 1)
FIRST, SECOND, THIRD = "港原倉庫", "山本 花", "田中 実"


@pytest.fixture
def house(database: Database) -> House:
    """Three owners, a third each; somebody came on 10 January and paid in three parts."""
    found = open_house(database)
    found.go_to(morning(date(2025, 1, 5)))
    owners = [cast.owner(id=new_id(), name=name) for name in (FIRST, SECOND, THIRD)]
    with database.writing(found.workspace_id) as session:
        session.add_all(owners)
        ids = [one.id for one in owners]
    _share(found, [(id_, Fraction(1, 3)) for id_ in ids], date(2025, 1, 1))
    facts = {**booking(found, "101"), "move_in_date": date(2025, 1, 10)}
    who = found.rooms["who"] = found.do(book, **facts).reservation_id
    for day, yen in ((12, 60_000), (13, 3_001), (14, 7)):
        found.go_to(morning(date(2025, 1, day)))
        found.do(record_payment, reservation_id=who, amount_yen=yen, reference=f"FB-{day}")
    found.rooms["owners"] = " ".join(ids)
    found.go_to(morning(date(2025, 2, 3)))
    return found


def _share(house: House, parts: list[tuple[str, Fraction]], from_on: date) -> None:
    def version(session: Session) -> int:
        return session.scalars(select(Building.version)).one()

    house.do(
        write_shares,
        building_id=house.building_id,
        from_on=from_on,
        parts=parts,
        version=house.ask(version),
    )


def _books(house: House, month_on: date) -> MonthBooks:
    return house.ask(lambda session: months.month_books(session, month_on))


def _owed(books: MonthBooks) -> dict[str, int]:
    """What is owed to each owner by the journals of a month."""
    sums: defaultdict[str, int] = defaultdict(int)
    for journal in books.journals:
        for posting in journal.postings:
            if posting.role == OWNERS_MONEY:
                sums[posting.owner] -= posting.yen
    return dict(sums)


def test_each_owner_has_a_part_of_the_months_sum_to_the_yen(house: House) -> None:
    owed = _owed(_books(house, JANUARY))
    total = sum(owed.values())
    assert total > 10_000
    assert owed == {FIRST: total - 2 * (total // 3), SECOND: total // 3, THIRD: total // 3}
    agree(house, is_owners=True)


def test_a_closed_month_keeps_the_parts_when_the_shares_change(house: House) -> None:
    before = _owed(_books(house, JANUARY))
    house.do(closings.close_month, month_on=JANUARY)
    first, second, _third = house.rooms["owners"].split()
    _share(house, [(first, Fraction(1, 2)), (second, Fraction(1, 2))], date(2025, 1, 2))
    assert _owed(_books(house, JANUARY)) == before
    assert _owed(_books(house, FEBRUARY)) == {}
    who, on = house.rooms["who"], date(2025, 1, 20)
    house.do(record_payment, reservation_id=who, amount_yen=20_000, received_on=on)
    late = _owed(_books(house, FEBRUARY))
    assert late == {FIRST: 10_000, SECOND: 10_000}
    agree(house, is_owners=True)


@pytest.mark.parametrize("program", Program)
def test_the_files_name_the_owners(house: House, program: Program) -> None:
    def made(session: Session) -> bytes:
        books = months.month_books(session, JANUARY)
        return charts.journal_file(
            program, Encoding.CP932, books.journals, charts.chart_of(session)
        )

    text = house.ask(made).decode("cp932")
    assert text.count(SECOND) >= 3
    _share(house, [(house.rooms["owners"].split()[0], Fraction(1))], date(2025, 1, 1))
    alone = house.ask(made).decode("cp932")
    assert FIRST not in alone
    assert "取引先" not in alone or program is not Program.PLAIN


def _receive(house: House, yen: int, on: date) -> None:
    who = house.rooms["who"]
    with house.database.writing(house.workspace_id) as session:
        bill = post_entry(session, who, [rent(yen)], issued_on=on, due_on=on)
        pay(session, who, {bill: yen}, on)


def _owed_through(house: House, month_on: date) -> dict[str, int]:
    """What is owed to each owner by all journals through a month."""
    sums: defaultdict[str, int] = defaultdict(int)
    each = JANUARY
    while each <= month_on:
        for name, yen in _owed(_books(house, each)).items():
            sums[name] += yen
        each = add_months(each, 1)
    return {name: yen for name, yen in sums.items() if yen}


def _stated(house: House, month_on: date) -> dict[str, int]:
    """What the statement of a month closes with for each owner."""

    def asked(session: Session) -> dict[str, int]:
        whole = owner_figures(session, house.building_id, month_on, house.today)
        parts = owner_parts(session, house.building_id, whole)
        found = {one.holder.name: one.figures.closing_yen for one in parts}
        return found or {"": whole.closing_yen}

    return {name: yen for name, yen in house.ask(asked).items() if yen}


def test_odd_and_even_months_of_halves_leave_both_owners_the_same(house: House) -> None:
    first, second, _third = house.rooms["owners"].split()
    _share(house, [(first, Fraction(1, 2)), (second, Fraction(1, 2))], date(2025, 1, 1))
    for number, yen in enumerate((100_001, 100_000, 100_003, 99_998, 100_001, 100_002)):
        month_on = add_months(FEBRUARY, number)
        _receive(house, yen, month_on.replace(day=10))
        house.go_to(morning(add_months(month_on, 1).replace(day=5)))
        owed, stated = _owed_through(house, month_on), _stated(house, month_on)
        assert owed == stated
        house.do(publish_statement, building_id=house.building_id, month_on=month_on)
    assert abs(owed[FIRST] - owed[SECOND]) <= 1


@pytest.mark.parametrize(
    "seed",
    [
        0,
        *(
            pytest.param(seed, marks=pytest.mark.thorough("one of four histories is quick"))
            for seed in (1, 2, 3)
        ),
    ],
)
def test_the_books_owe_every_owner_what_the_statements_say(house: House, seed: int) -> None:
    """Months of odd sums, losses, changed shares, late money, passed over or closed."""
    random = Random(seed)
    owners = house.rooms["owners"].split()
    house.do(
        agree_terms,
        building_id=house.building_id,
        from_on=FEBRUARY,
        management_percent=Decimal("5.5"),
        payout_day=random.choice([10, 31]),
    )
    for number in range(7):
        month_on = add_months(FEBRUARY, number)
        for _ in range(random.randint(0, 3)):
            _receive(house, random.randint(1, 999), month_on + timedelta(random.randint(0, 27)))
        house.go_to(morning(add_months(month_on, 1).replace(day=5)))
        if random.random() < 0.5:
            house.do(
                post_owner_deduction,
                building_id=house.building_id,
                category=FeeCategory.REPAIR,
                label=Bilingual("修繕", "Repair"),
                amount_yen=random.randint(1, 1999),
                deducted_on=month_on + timedelta(random.randint(0, 27)),
            )
        if random.random() < 0.4:
            held = random.sample(owners, random.randint(1, 3))
            whole = len(held) * (len(held) + 1) // 2
            parts = [(id_, Fraction(place, whole)) for place, id_ in enumerate(held, 1)]
            _share(house, parts, month_on + timedelta(random.randint(0, 27)))
        assert _owed_through(house, month_on) == _stated(house, month_on), month_on
        if random.random() < 0.7:
            house.do(publish_statement, building_id=house.building_id, month_on=month_on)
        if random.random() < 0.6:
            house.do(closings.close_month, month_on=month_on)
        if random.random() < 0.4:
            _receive(house, random.randint(1, 999), month_last(month_on))
