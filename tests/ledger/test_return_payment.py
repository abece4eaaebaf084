"""Money that goes back is owed again, once, and no more of it than came."""

from datetime import date

import pytest
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Collision, NotFound, Refused
from pms.ledger.models import Allocation, PaymentReturn
from pms.ledger.payments import return_payment, returned_yen
from pms.ledger.planned_entries import hold_ledger, ledger_mark
from pms.ledger.queries import standings
from pms.ledger.statement import Movement, statement
from pms.rules.audit_events import AuditEvent
from tests.ledger.conftest import ACTOR, Books

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
        shown = statement(session, id_, DAY)
    assert [payment.returned_yen for payment in shown.payments] == [20_000]
    assert [row.yen for row in shown.rows if row.movement is Movement.RETURNED] == [20_000]


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


def test_the_return_is_kept_with_who_and_when(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    payment_id = books.pay(date(2026, 5, 20), id_, 50_000)
    books.at(DAY)
    asked = {"payment_id": payment_id, "amount_yen": 1}
    days = {"ch_1/1": date(2026, 5, 20), "ch_1/2": DAY, "ch_1/3": None}
    for reference, day in days.items():
        return_id = books.do(
            return_payment, **asked, reference=reference, returned_on=day, note="card"
        )
    with books.reading() as session:
        rows = session.scalars(select(PaymentReturn).order_by(PaymentReturn.reference)).all()
        took = session.scalars(select(Allocation).where(Allocation.amount_yen < 0)).all()
        noted = session.scalars(
            select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.PAYMENT_RETURNED)
        ).all()
        assert returned_yen(session, payment_id) == 3
        assert returned_yen(session, "0" * 32) == 0
    assert [(row.reference, row.returned_on) for row in rows] == [
        ("ch_1/1", date(2026, 5, 20)),
        ("ch_1/2", DAY),
        ("ch_1/3", DAY),
    ]
    last = rows[-1]
    assert (last.id, last.payment_id, last.reservation_id) == (return_id, payment_id, id_)
    assert (last.note, last.written_by, last.written_at) == ("card", ACTOR, books.clock.now())
    assert {(one.payment_id, one.settlement_id, one.amount_yen) for one in took} == {
        (payment_id, None, -1)
    }
    assert sorted(one.allocated_on for one in took) == [date(2026, 5, 20), DAY, DAY]
    facts = {"payment_id": payment_id, "amount_yen": 1, "reference": "ch_1/1", "note": "card"}
    assert facts in [record.after for record in noted]


@pytest.mark.parametrize("day", [date(2026, 5, 20), date(2026, 5, 23)])
def test_nothing_goes_back_before_it_came_or_on_a_day_to_come(books: Books, day: date) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    payment_id = books.pay(DAY, id_, 50_000)
    books.at(date(2026, 5, 22))
    asked = {"payment_id": payment_id, "amount_yen": 1, "reference": "ch_1/1"}
    with pytest.raises(Refused, match=r"returnedOn: .* on 2026-05-21 to today, 2026-05-22"):
        books.do(return_payment, **asked, returned_on=day)


def test_money_goes_back_from_what_was_due_last_and_of_this_payment_alone(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    books.bill(date(2026, 7, 25))
    today = books.clock.today()
    invoice, july, august = books.entries(id_)
    books.pay(today, id_, 1_000, august)
    # It fills the invoice and July, and leaves a single yen for August.
    payment_id = books.pay(today, id_, 83_000 + 83_000 + 1)

    def paid() -> list[int]:
        with books.reading() as session:
            found = {one.id: one.paid_yen for one in standings(session, [id_], today)[id_]}
        return [found[entry.id] for entry in (invoice, july, august)]

    assert paid() == [83_000, 83_000, 1_001]
    for number, (yen, left) in enumerate(
        (
            (1, [83_000, 83_000, 1_000]),
            (2, [83_000, 82_998, 1_000]),
            (82_999, [82_999, 0, 1_000]),
            (82_999, [0, 0, 1_000]),
        )
    ):
        books.do(return_payment, payment_id=payment_id, amount_yen=yen, reference=f"ch/{number}")
        assert paid() == left
    with pytest.raises(Refused, match="amount: 1 of 1 exceed"):
        books.do(return_payment, payment_id=payment_id, amount_yen=1, reference="ch/9")
