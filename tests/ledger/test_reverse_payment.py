"""A wrong payment is taken off again by an opposite row, and everything is as if it never came."""

from datetime import date

import pytest
from sqlalchemy import select

from pms.departures.notices import file_notice
from pms.deposits.settlements import settle
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Collision, NotFound, Refused
from pms.ledger.charges import post_arrears_charge
from pms.ledger.debts import debts
from pms.ledger.models import Payment, PaymentReturn
from pms.ledger.payment_plan import record_payment
from pms.ledger.payments import return_payment, reverse_payment
from pms.ledger.queries import deposit_balances, standings
from pms.ledger.statement import Movement, statement
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import ReturnKind
from tests.ledger.conftest import ACTOR, Books

BOOKED, DAY, LATER = date(2026, 5, 20), date(2026, 5, 21), date(2026, 6, 3)
WHY = "Paid by the neighbour"


def _booked(books: Books) -> str:
    return books.booked(BOOKED, date(2026, 6, 1), date(2026, 8, 31), deposit_yen=60_000)


def _stands(books: Books, id_: str, on: date) -> tuple[object, ...]:
    with books.reading() as session:
        return (
            standings(session, [id_], on)[id_],
            deposit_balances(session, [id_], on)[id_],
            [debt.unpaid_yen for debt in debts(session, on) if debt.reservation_id == id_],
        )


def test_after_a_reversal_all_stands_as_if_the_payment_never_came(books: Books) -> None:
    id_ = _booked(books)
    before = _stands(books, id_, LATER)
    payment_id = books.pay(DAY, id_, 140_000)
    assert _stands(books, id_, DAY) != before
    books.at(LATER)
    books.do(reverse_payment, payment_id=payment_id, reason=WHY)
    assert _stands(books, id_, LATER) == before
    with books.reading() as session:
        shown = statement(session, id_, LATER)
    (payment,) = shown.payments
    assert (payment.reversed_on, payment.left_yen, payment.returned_yen) == (LATER, 0, 0)
    assert [(row.on, row.movement, row.yen) for row in shown.rows[1:]] == [
        (DAY, Movement.PAID, -140_000),
        (LATER, Movement.REVERSED, 140_000),
    ]


def test_the_days_before_the_reversal_stay_as_they_were_told(books: Books) -> None:
    id_ = _booked(books)
    payment_id = books.pay(DAY, id_, 150_000)
    before = _stands(books, id_, DAY)
    books.at(LATER)
    books.do(reverse_payment, payment_id=payment_id, reason=WHY)
    assert _stands(books, id_, DAY) == before


def test_the_opposite_row_tells_who_and_why_and_the_payment_is_not_touched(books: Books) -> None:
    payment_id = books.pay(DAY, _booked(books), 150_000)
    with books.reading() as session:
        before = {**vars(session.scalars(select(Payment)).one()), "_sa_instance_state": None}
    books.at(LATER)
    return_id = books.do(reverse_payment, payment_id=payment_id, reason=f" {WHY} ")
    with books.reading() as session:
        row = session.scalars(select(PaymentReturn)).one()
        payment = session.scalars(select(Payment)).one()
        noted = session.scalars(
            select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.PAYMENT_REVERSED)
        ).one()
    assert (row.id, row.kind, row.returned_on) == (return_id, ReturnKind.REVERSED, LATER)
    assert (row.amount_yen, row.note, row.written_by) == (150_000, WHY, ACTOR)
    assert {**vars(payment), "_sa_instance_state": None} == before
    assert noted.after["note"] == WHY
    assert noted.after["amount_yen"] == 150_000


def test_a_payment_is_reversed_once_and_not_without_a_reason(books: Books) -> None:
    payment_id = books.pay(DAY, _booked(books), 50_000)
    for reason in ("", "  ", "two\nlines", "x" * 501):
        with pytest.raises(Refused, match="reason"):
            books.do(reverse_payment, payment_id=payment_id, reason=reason)
    books.do(reverse_payment, payment_id=payment_id, reason=WHY)
    with pytest.raises(Refused, match="already reversed on 2026-05-21"):
        books.do(reverse_payment, payment_id=payment_id, reason=WHY)
    with pytest.raises(Refused, match="exceed"):
        books.do(return_payment, payment_id=payment_id, amount_yen=1, reference="ch_1")
    with pytest.raises(NotFound):
        books.do(reverse_payment, payment_id="0" * 32, reason=WHY)


def test_what_was_sent_back_before_is_not_taken_off_twice(books: Books) -> None:
    id_ = _booked(books)
    before = _stands(books, id_, DAY)
    part, whole = (books.pay(DAY, id_, 50_000) for _ in range(2))
    books.do(return_payment, payment_id=part, amount_yen=20_000, reference="ch_1")
    books.do(return_payment, payment_id=whole, amount_yen=50_000, reference="ch_2")
    books.do(reverse_payment, payment_id=part, reason=WHY)
    with pytest.raises(Refused, match="all of it was refunded, so there is"):
        books.do(reverse_payment, payment_id=whole, reason=WHY)
    assert _stands(books, id_, DAY) == before


def test_the_reference_is_free_again_for_the_right_person(books: Books) -> None:
    wrong, right = _booked(books), _booked(books)
    asked = {"amount_yen": 50_000, "reference": "FB-1"}
    for _ in range(2):
        payment_id = books.do(record_payment, reservation_id=wrong, **asked)
        with pytest.raises(Collision, match="'FB-1' has already been recorded"):
            books.do(record_payment, reservation_id=right, **asked)
        books.do(reverse_payment, payment_id=payment_id, reason=WHY)
    books.do(record_payment, reservation_id=right, **asked)
    with pytest.raises(Collision):
        books.do(record_payment, reservation_id=wrong, **asked)
    with books.reading() as session:
        assert [one.reference for one in statement(session, right, DAY).payments] == ["FB-1/3"]


def test_an_arrears_charge_keeps_its_part_when_the_payment_of_its_entry_is_reversed(
    books: Books,
) -> None:
    id_ = _booked(books)
    invoice = books.entry(id_, "move_in")
    payment_id = books.pay(DAY, id_, 50_000)
    books.do(post_arrears_charge, entry_id=invoice.id, amount_yen=33_000)
    books.do(reverse_payment, payment_id=payment_id, reason=WHY)
    with books.reading() as session:
        found = standings(session, [id_], DAY)[id_]
    assert [one.unpaid_yen for one in found] == [50_000, 33_000]


def test_what_a_settlement_counted_is_not_reversed_and_what_came_after_it_is(
    books: Books,
) -> None:
    id_ = _booked(books)
    counted = books.pay(DAY, id_, 100_000)
    books.at(date(2026, 6, 2))
    books.do(file_notice, reservation_id=id_, move_out_on=date(2026, 7, 2))
    books.bill(date(2026, 6, 25))
    books.at(date(2026, 7, 3))
    books.do(settle, reservation_id=id_)
    with pytest.raises(Refused, match="part of the settlement of 2026-07-03"):
        books.do(reverse_payment, payment_id=counted, reason=WHY)
    with pytest.raises(Refused, match="part of the settlement of 2026-07-03"):
        books.do(return_payment, payment_id=counted, amount_yen=1, reference="ch_1")
    before = _stands(books, id_, date(2026, 7, 4))
    after = books.pay(date(2026, 7, 4), id_, 1_000)
    books.do(reverse_payment, payment_id=after, reason=WHY)
    assert _stands(books, id_, date(2026, 7, 4)) == before
