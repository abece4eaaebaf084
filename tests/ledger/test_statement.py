"""The statement of a reservation tells its ledger as it stood on any day."""

from datetime import date

import pytest

from pms.foundation.errors import NotFound
from pms.foundation.ids import shape_id
from pms.ledger.payment_plan import record_payment
from pms.ledger.payments import return_payment
from pms.ledger.posting import move_payments, void_entry
from pms.ledger.queries import deposit_balances, standings
from pms.ledger.statement import AllocationRecord, Movement, PaymentRecord, Statement, statement
from pms.pricing.prices import agreed_prices
from pms.rules.enumerations import ReturnKind
from pms.rules.payments import AllocatedPart
from tests.ledger.conftest import Books
from tests.ledger.test_bill_month import counted
from tests.statements.postings import allocate


def stated(books: Books, id_: str, on: date) -> Statement:
    with books.reading() as session:
        return statement(session, id_, on)


@pytest.fixture
def lived(books: Books) -> str:
    id_ = books.booked(
        date(2026, 5, 20),
        date(2026, 6, 1),
        date(2027, 5, 31),
        reservation_fee_yen=30_000,
        deposit_yen=68_000,
    )
    books.pay(date(2026, 5, 27), id_, 181_000)
    books.bill(date(2026, 6, 25))
    books.pay(date(2026, 6, 30), id_, 80_000)
    return id_


def test_every_movement_is_told_with_what_is_owed_after_it(books: Books, lived: str) -> None:
    assert [(row.on, row.movement, row.yen, row.owed_yen) for row in
            stated(books, lived, date(2026, 7, 1)).rows] == [
        (date(2026, 5, 20), Movement.BILLED, 181_000, 181_000),
        (date(2026, 5, 27), Movement.PAID, -181_000, 0),
        (date(2026, 6, 25), Movement.BILLED, 83_000, 83_000),
        (date(2026, 6, 30), Movement.PAID, -80_000, 3_000),
    ]  # fmt: skip


def test_an_earlier_day_knows_nothing_of_what_came_later(books: Books, lived: str) -> None:
    early = stated(books, lived, date(2026, 5, 26))
    assert (early.owed_yen, len(early.entries), early.payments) == (181_000, 1, ())
    assert early.deposit.held_yen == 0
    assert stated(books, lived, date(2026, 5, 27)).deposit.held_yen == 68_000
    assert stated(books, lived, date(2026, 5, 19)).rows == ()


def test_a_voiding_is_told_from_its_day_on(books: Books, lived: str) -> None:
    books.at(date(2026, 7, 2))
    books.do(void_entry, books.entry(lived, "rent").id)
    assert stated(books, lived, date(2026, 7, 1)).entries[1].voided_on is None
    after = stated(books, lived, date(2026, 7, 2))
    assert after.entries[1].voided_on == date(2026, 7, 2)
    assert after.owed_yen == -80_000
    assert after.deposit.overpaid_yen == 80_000


def test_the_sum_of_the_lines_is_what_the_standings_say(books: Books, lived: str) -> None:
    shown = stated(books, lived, date(2026, 7, 1))
    assert sum(entry.total_yen for entry in shown.entries) == sum(
        standing.payable_yen + standing.deposit_yen for standing in shown.standings
    )


@pytest.mark.parametrize("id_", ["", "nobody", "0" * 32])
def test_nobody_has_no_statement(books: Books, id_: str) -> None:
    with pytest.raises(NotFound):
        stated(books, id_, date(2026, 7, 1))


def test_many_balances_are_asked_for_in_as_many_questions_as_one(books: Books, lived: str) -> None:
    many = [books.booked(date(2026, 5, 20), date(2026, 6, 1), None) for _ in range(8)]
    on = date(2026, 7, 1)
    with counted(books.database) as for_one, books.reading() as session:
        deposit_balances(session, [lived], on)
    with counted(books.database) as for_many, books.reading() as session:
        assert len(deposit_balances(session, [lived, *many], on)) == 9
        assert len(standings(session, many, on)) == 8
    # The last question repeats three of them.
    assert len(for_many) - len(for_one) == 3


def test_balances_may_be_asked_for_more_ids_than_a_statement_binds(
    books: Books, lived: str
) -> None:
    others = [shape_id(number, 0) for number in range(70_000)]
    on = date(2026, 7, 1)
    with books.reading() as session:
        found = deposit_balances(session, [*others, lived], on)
        assert found[lived] == deposit_balances(session, [lived], on)[lived]
        assert set(agreed_prices(session, [*others, lived])) == {lived}


def test_payments_allocations_and_returns_are_told_as_they_were_written(
    books: Books, lived: str
) -> None:
    invoice, july = books.entries(lived)
    books.at(date(2026, 7, 3))
    payment_id = books.do(
        record_payment,
        reservation_id=lived,
        amount_yen=3_000,
        method="card",
        reference="ch_1",
        note="at the desk",
    )
    returned = {"payment_id": payment_id, "returned_on": date(2026, 7, 4)}
    for day, yen, reference in ((4, 1_500, "re_1"), (4, 500, "re_2"), (5, 100, "re_3")):
        on = date(2026, 7, day)
        books.at(on)
        again = {**returned, "returned_on": on}
        books.do(return_payment, **again, amount_yen=yen, reference=reference)
    with books.writing() as session:
        allocate(session, july.id, -7, date(2026, 7, 5), settlement_id="0" * 32)
    shown = stated(books, lived, date(2026, 7, 4))
    assert [payment.received_on for payment in shown.payments] == [
        date(2026, 5, 27),
        date(2026, 6, 30),
        date(2026, 7, 3),
    ]
    paid = shown.payments[-1]
    assert paid == PaymentRecord(
        payment_id, date(2026, 7, 3), 3_000, "card", "ch_1", "at the desk", paid.returns
    )
    assert [(one.kind, one.on, one.yen, one.reference) for one in paid.returns] == [
        (ReturnKind.RETURNED, date(2026, 7, 4), 1_500, "re_1"),
        (ReturnKind.RETURNED, date(2026, 7, 4), 500, "re_2"),
    ]
    assert (paid.returned_yen, paid.left_yen, paid.reversed_on) == (2_000, 1_000, None)
    assert shown.allocations[-3:] == (
        AllocationRecord(july.id, payment_id, None, 3_000, date(2026, 7, 3)),
        AllocationRecord(
            july.id, payment_id, None, -1_500, date(2026, 7, 4), return_id=paid.returns[0].id
        ),
        AllocationRecord(
            july.id, payment_id, None, -500, date(2026, 7, 4), return_id=paid.returns[1].id
        ),
    )
    later = stated(books, lived, date(2026, 7, 5))
    assert later.payments[-1].returned_yen == 2_100
    assert [(row.movement, row.entry_id, row.yen, row.owed_yen) for row in later.rows[-5:]] == [
        (Movement.PAID, july.id, -3_000, 0),
        (Movement.RETURNED, july.id, 1_500, 1_500),
        (Movement.RETURNED, july.id, 500, 2_000),
        (Movement.RETURNED, july.id, 100, 2_100),
        (Movement.NETTED, july.id, 7, 2_107),
    ]
    assert later.rows[0].label == invoice.label
    assert (later.reservation_id, later.on, later.moves) == (lived, date(2026, 7, 5), ())


def test_money_counts_from_its_day_but_not_before_the_entry_it_reached(
    books: Books, lived: str
) -> None:
    other = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    books.pay(date(2026, 6, 24), other, 1_000)
    _, july = books.entries(lived)
    books.at(date(2026, 6, 26))
    early = {"reservation_id": lived, "entry_id": july.id, "amount_yen": 1_000}
    for day in (date(2026, 6, 24), date(2026, 6, 25)):
        books.do(record_payment, **early, received_on=day)
    facts = {day: stated(books, lived, date(2026, 6, day)) for day in (24, 25)}
    assert [(len(one.payments), len(one.allocations)) for one in facts.values()] == [(2, 1), (3, 3)]
    assert facts[24].owed_yen == 0
    assert facts[25].owed_yen == 81_000


def test_what_is_moved_to_another_entry_was_not_returned(books: Books, lived: str) -> None:
    invoice, july = books.entries(lived)
    books.at(date(2026, 7, 3))
    with books.writing() as session:
        move_payments(session, books.clock, invoice.id, [AllocatedPart(july.id, 2_000)])
    rows = stated(books, lived, date(2026, 7, 3)).rows[-2:]
    assert [(row.movement, row.yen) for row in rows] == [
        (Movement.PAID, 2_000),
        (Movement.PAID, -2_000),
    ]
