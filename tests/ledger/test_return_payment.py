"""Money that goes back is owed again, once, and no more of it than came."""

from datetime import date

import pytest

from pms.foundation.errors import Collision, NotFound, Refused
from pms.ledger.ledger_mark import hold_ledger, ledger_mark
from pms.ledger.queries import standings
from pms.ledger.return_payment import return_payment
from pms.ledger.statement import Movement, statement
from tests.ledger.conftest import Books

DAY = date(2026, 5, 21)


def _open_yen(books: Books, reservation_id: str) -> int:
    with books.reading() as session:
        found = standings(session, [reservation_id], DAY)[reservation_id]
    return sum(one.open_yen - one.overpaid_yen for one in found)


def test_what_went_back_is_owed_again_and_stands_in_the_statement(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    payment_id = books.pay(DAY, id_, 50_000)
    before = _open_yen(books, id_)
    books.do(return_payment, payment_id=payment_id, amount_yen=20_000, reference="ch_1/20000")
    assert _open_yen(books, id_) == before + 20_000
    with books.reading() as session:
        told = statement(session, id_, DAY)
    assert [payment.returned_yen for payment in told.payments] == [20_000]
    assert [row.yen for row in told.rows if row.movement is Movement.RETURNED] == [20_000]


def test_the_same_return_is_written_once(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    payment_id = books.pay(DAY, id_, 50_000)
    for _ in range(2):
        books.do(return_payment, payment_id=payment_id, amount_yen=20_000, reference="ch_1/20000")
    with books.reading() as session:
        assert [one.returned_yen for one in statement(session, id_, DAY).payments] == [20_000]


def test_what_was_overpaid_goes_back_first(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    open_yen = _open_yen(books, id_)
    payment_id = books.pay(DAY, id_, open_yen + 5_000)
    books.do(return_payment, payment_id=payment_id, amount_yen=5_000, reference="ch_1/5000")
    with books.reading() as session:
        found = standings(session, [id_], DAY)[id_]
    assert (sum(one.open_yen for one in found), sum(one.overpaid_yen for one in found)) == (0, 0)


@pytest.mark.parametrize("yen", [0, -1, 50_001])
def test_more_than_came_does_not_go_back(books: Books, yen: int) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    payment_id = books.pay(DAY, id_, 50_000)
    with pytest.raises(Refused):
        books.do(return_payment, payment_id=payment_id, amount_yen=yen, reference="ch_1/x")


def test_a_payment_of_nobody_does_not_go_back(books: Books) -> None:
    with pytest.raises(NotFound):
        books.do(return_payment, payment_id="0" * 32, amount_yen=1, reference="ch_1/1")


def test_a_form_that_was_opened_before_money_went_back_is_noticed(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    payment_id = books.pay(DAY, id_, 50_000)
    with books.reading() as session:
        seen = ledger_mark(session, id_)
    with books.writing() as session:
        hold_ledger(session, id_, seen)
    books.do(return_payment, payment_id=payment_id, amount_yen=20_000, reference="ch_1/20000")
    with pytest.raises(Collision), books.writing() as session:
        hold_ledger(session, id_, seen)
