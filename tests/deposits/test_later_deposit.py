"""A later deposit, for a pet or a second person, is held like the first and is never income."""

from datetime import date

import pytest

from pms.arrivals.lifecycles import cancel_booking
from pms.departures.notices import file_notice
from pms.deposits.deposit_report import deposit_report
from pms.deposits.refunds import send_refund
from pms.deposits.settlement_papers import release_refund
from pms.deposits.settlements import settle
from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.ledger.charges import post_charge
from pms.ledger.queries import deposit_balances, standings
from pms.rules.deposit import DepositBalance
from pms.rules.enumerations import (
    FeeCategory,
    Lifecycle,
    ReservationKind,
    SettlementState,
)
from pms.statements.building_income import incomes
from pms.statements.reports import profit_and_loss
from tests.ledger.conftest import Books, books

__all__ = ["books"]

PET = Bilingual("ペット敷金", "Pet deposit")
DAY = date(2026, 6, 10)


@pytest.fixture
def living(books: Books) -> str:
    """Somebody whose invoice of 83,000 and first deposit of 60,000 are paid."""
    start_on, end_on = date(2026, 6, 1), date(2026, 8, 31)
    id_ = books.booked(date(2026, 5, 20), start_on, end_on, deposit_yen=60_000)
    books.pay(date(2026, 5, 21), id_, 143_000)
    books.at(DAY)
    return id_


def charged(books: Books, id_: str) -> str:
    asked = {"amount_yen": 30_000, "label": PET, "category": FeeCategory.DEPOSIT}
    entry_id: str = books.do(post_charge, reservation_id=id_, **asked)
    return entry_id


def balance(books: Books, id_: str, on: date = DAY) -> DepositBalance:
    with books.reading() as session:
        return deposit_balances(session, [id_], on)[id_]


def test_it_is_no_debt_before_it_is_paid_and_held_from_then_on(books: Books, living: str) -> None:
    charged(books, living)
    assert balance(books, living) == DepositBalance(60_000, 0, 0)
    books.pay(DAY, living, 20_000)
    assert balance(books, living) == DepositBalance(80_000, 0, 0)
    books.pay(DAY, living, 10_000)
    assert balance(books, living) == DepositBalance(90_000, 0, 0)
    with books.reading() as session:
        (reported,) = deposit_report(session, DAY).deposits
    assert reported.balance.held_yen == 90_000


def test_it_is_income_of_nobody(books: Books, living: str) -> None:
    june = date(2026, 6, 1)

    def earned() -> tuple[object, ...]:
        with books.reading() as session:
            owner = incomes(session, [books.building_id], june)[books.building_id]
            by_month = {on: yen for on, yen in owner.by_month.items() if yen}
            return profit_and_loss(session, june).yen, by_month, owner.places

    before = earned()
    charged(books, living)
    books.pay(DAY, living, 30_000)
    assert earned() == before


def test_it_is_settled_and_refunded_with_the_first(books: Books, living: str) -> None:
    charged(books, living)
    books.pay(DAY, living, 30_000)
    books.at(date(2026, 6, 2))
    books.do(file_notice, reservation_id=living, move_out_on=date(2026, 7, 1))
    books.at(date(2026, 7, 2))
    settled = books.do(settle, reservation_id=living).settlement
    held_and_owed = settled.held_yen, settled.netted_yen + settled.remainder_yen
    assert held_and_owed == (90_000, 90_000)
    books.do(release_refund, reservation_id=living, reason="電話で合意")
    done = books.do(send_refund, reservation_id=living)
    assert done.state is SettlementState.REFUNDED
    assert balance(books, living, date(2026, 7, 2)).held_yen == 0


def test_an_owner_resident_pays_none(books: Books) -> None:
    id_ = books.resident(date(2026, 6, 1), None, kind=ReservationKind.OWNER_RESIDENT)
    with pytest.raises(Refused, match="category: an owner resident"):
        charged(books, id_)


def test_a_cancellation_asks_for_it_no_more(books: Books) -> None:
    start_on, end_on = date(2026, 7, 1), date(2026, 8, 31)
    id_ = books.booked(DAY, start_on, end_on, deposit_yen=60_000, lifecycle=Lifecycle.BOOKED)
    charged(books, id_)
    books.do(cancel_booking, reservation_id=id_)
    with books.reading() as session:
        assert [one.open_yen for one in standings(session, [id_], DAY)[id_]] == [0, 0]
