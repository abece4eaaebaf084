"""Ten times the rows take no statement more: reports, statements, billing and settling."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from pms.deposits.deposit_report import balances_on, deposit_report
from pms.deposits.settlements import settle
from pms.foundation.database import Database
from pms.foundation.phrases import Bilingual
from pms.ledger.billing import bill_month, preview_month
from pms.ledger.charges import post_charge
from pms.ledger.payment_plan import record_payment
from pms.ledger.statement import statement
from tests.stories.house import House, morning, open_house
from tests.stories.tenancy import LEAVES_ON, gone, living

FEW, MANY = 3, 12


@pytest.fixture
def house(database: Database) -> House:
    return open_house(database)


@contextmanager
def counted(house: House) -> Iterator[list[str]]:
    """Give the statements that are executed meanwhile."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    event.listen(house.database.engine, "before_cursor_execute", note)
    yield seen
    event.remove(house.database.engine, "before_cursor_execute", note)


def asked(house: House, question: Callable[[Session], object]) -> int:
    house.ask(question)
    with counted(house) as seen:
        house.ask(question)
    return len(seen)


def test_many_tenancies_take_no_question_more_than_few(house: House) -> None:
    ids = [living(house, f"{number}") for number in range(FEW)]
    on, clock = house.today, house.clock
    questions: list[Callable[[Session], object]] = [
        lambda session: deposit_report(session, on),
        lambda session: balances_on(session, ids, on),
        lambda session: preview_month(session, clock, through_on=date(2025, 6, 30)),
    ]
    few = [asked(house, question) for question in questions]
    ids += [living(house, f"{number}") for number in range(FEW, MANY)]
    assert [asked(house, question) for question in questions] == few


def test_a_run_over_many_takes_no_statement_more_than_over_few(house: House) -> None:
    ids = [living(house, f"{number}") for number in range(FEW)]
    found = []
    for through_on in (date(2025, 4, 30), date(2025, 5, 31)):
        with counted(house) as seen:
            billed = house.do(bill_month, through_on=through_on)
        assert billed.entries == len(ids)
        found.append(len(seen))
        ids += [living(house, f"{number}") for number in range(len(ids), MANY)]
        house.do(bill_month, through_on=date(2025, 4, 30))
    assert found[0] == found[1]


def test_a_long_ledger_takes_no_question_more_than_a_short_one(house: House) -> None:
    id_ = living(house)
    lengths, found = [], []
    for _ in range(2):
        found.append(asked(house, lambda session: statement(session, id_, house.today)))
        lengths.append(len(house.books.entries(id_)))
        for number in range(MANY):
            house.days_pass(1 if number % 3 == 0 else 0)
            key = Bilingual(f"鍵 {number}", f"Key {number}")
            house.do(post_charge, reservation_id=id_, amount_yen=1_000, label=key)
            house.do(record_payment, reservation_id=id_, amount_yen=900)
    assert lengths[1] >= 5 * lengths[0]
    assert found[0] == found[1]


def test_settling_a_long_ledger_takes_no_statement_more(house: House) -> None:
    found = []
    for room, charges in (("101", 0), ("102", MANY)):
        id_ = gone(house, room)
        for number in range(charges):
            key = Bilingual(f"鍵 {number}", f"Key {number}")
            house.do(post_charge, reservation_id=id_, amount_yen=1_000, label=key)
        house.go_to(morning(LEAVES_ON + timedelta(days=9)))
        with counted(house) as seen:
            house.do(settle, reservation_id=id_)
        found.append(len(seen))
    assert found[0] == found[1]
