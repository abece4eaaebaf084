"""The journals of a building with several owners name each owner's part, and add up to the whole."""

from collections import defaultdict
from datetime import date
from fractions import Fraction

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
from pms.ledger.payment_plan import record_payment
from pms.rules.journal_files import Program
from pms.rules.journals import OWNERS_MONEY
from tests import cast
from tests.accounting.accountant import agree
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
