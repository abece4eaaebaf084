"""An override of the move-in date rewrites the invoice, and the payments follow."""

from datetime import date

import pytest

from pms.deposits.deposit_report import balance_on
from pms.ledger.billing import bill_month
from pms.ledger.charges import post_arrears_charge
from pms.ledger.queries import issued_rows, standings
from pms.ledger.repricing import override_rows, reprice_rows
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.models import Reservation
from tests.ledger.conftest import Books

RENT_93 = MonthlyAmounts(base_rent_yen=93_000)


def overridden(books: Books, on: date, reservation_id: str, to: date) -> None:
    books.at(on)
    with books.writing() as session:
        row = session.get_one(Reservation, (books.workspace_id, reservation_id))
        row.override_move_in_date = to
    books.do(override_rows, reservation_id)


def test_an_earlier_start_after_the_15th_swallows_the_next_month_and_its_payment(
    books: Books,
) -> None:
    id_ = books.booked(
        date(2025, 5, 25),
        date(2025, 6, 10),
        date(2026, 6, 9),
        reservation_fee_yen=10_000,
        deposit_yen=40_000,
    )
    invoice = books.entry(id_, "move_in")
    assert invoice.total_yen == 58_100 + 50_000
    books.pay(date(2025, 6, 1), id_, 108_100, invoice)
    assert books.bill(date(2025, 6, 25)).entries == 1
    july = books.entry(id_, "rent", "2025-07-01")
    books.pay(date(2025, 6, 26), id_, 83_000, july)

    overridden(books, date(2025, 6, 27), id_, date(2025, 6, 17))

    assert books.entry(id_, "move_in").total_yen == 171_733
    assert books.entry(id_, "rent", "2025-07-01").voided_on == date(2025, 6, 27)
    with books.reading() as session:
        by_id = {s.id: s for s in standings(session, [id_], date(2025, 6, 27))[id_]}
    assert by_id[invoice.id].paid_yen == 191_100
    assert by_id[invoice.id].overpaid_yen == 191_100 - 171_733
    assert by_id[july.id].paid_yen == 0


@pytest.mark.differs("sums and dates in SQL")
@pytest.mark.parametrize("paid_on_the_charge", [0, 31_000])
def test_a_swallowed_entry_takes_its_arrears_charge_along(
    books: Books, paid_on_the_charge: int
) -> None:
    id_ = books.booked(
        date(2026, 7, 1), date(2026, 7, 10), date(2027, 1, 9), amounts=RENT_93, deposit_yen=93_000
    )
    books.pay(date(2026, 7, 1), id_, 159_000)
    books.bill(date(2026, 7, 25))
    august = books.entry(id_, "rent", "2026-08-01")
    books.pay(date(2026, 7, 25), id_, 62_000, august)
    books.at(date(2026, 8, 2))
    charge_id = books.do(post_arrears_charge, entry_id=august.id, amount_yen=31_000)
    if paid_on_the_charge:
        books.pay(date(2026, 8, 2), id_, paid_on_the_charge, books.entry(id_, "arrears"))

    overridden(books, date(2026, 8, 3), id_, date(2026, 7, 20))

    assert books.entry(id_, "arrears").voided_on == date(2026, 8, 3)
    with books.reading() as session:
        balance = balance_on(session, id_, date(2026, 8, 3))
        by_id = {s.id: s for s in standings(session, [id_], date(2026, 8, 3))[id_]}
    assert balance.balance_yen == 92_000 + paid_on_the_charge
    assert by_id[charge_id].paid_yen == by_id[august.id].paid_yen == 0


def test_a_start_by_the_15th_gives_the_second_month_an_entry_of_its_own(books: Books) -> None:
    id_ = books.booked(
        date(2025, 5, 25),
        date(2025, 6, 20),
        date(2026, 6, 19),
        reservation_fee_yen=10_000,
        deposit_yen=40_000,
    )
    invoice = books.entry(id_, "move_in")
    books.pay(date(2025, 6, 1), id_, invoice.total_yen, invoice)

    overridden(books, date(2025, 6, 1), id_, date(2025, 6, 10))

    assert books.entry(id_, "move_in").total_yen == 108_100
    july = books.entry(id_, "rent", "2025-07-01")
    assert (july.total_yen, july.due_on) == (83_000, date(2025, 6, 30))
    with books.reading() as session:
        by_id = {s.id: s for s in standings(session, [id_], date(2025, 6, 1))[id_]}
    assert by_id[invoice.id].overpaid_yen == 0
    assert by_id[july.id].paid_yen == invoice.total_yen - 108_100


def test_the_beginning_of_a_month_that_leaves_the_invoice_is_rent_and_its_rest_stays_a_stub(
    books: Books,
) -> None:
    id_ = books.booked(date(2025, 5, 25), date(2025, 6, 20), date(2025, 7, 10))
    books.at(date(2025, 6, 25))
    books.do(bill_month, through_on=date(2025, 7, 31))
    stub = books.entry(id_, "stub")
    assert stub.period == "2025-07-11"

    overridden(books, date(2025, 6, 26), id_, date(2025, 6, 10))

    begun = books.entry(id_, "rent")
    assert begun.period == "2025-07-01"
    assert books.entry(id_, "stub") == stub
    assert begun.total_yen + stub.total_yen == 83_000


def repriced(books: Books, reservation_id: str, move_out_on: date | None) -> int:
    with books.writing() as session:
        row = session.get_one(Reservation, (books.workspace_id, reservation_id))
        row.move_out_date = move_out_on
    books.do(reprice_rows, reservation_id)
    return sum(entry.total_yen for entry in books.entries(reservation_id))


def test_a_row_the_override_replaced_never_comes_back(books: Books) -> None:
    id_ = books.booked(date(2025, 5, 25), date(2025, 6, 20), date(2026, 6, 19))
    overridden(books, date(2025, 6, 1), id_, date(2025, 6, 10))
    assert repriced(books, id_, None) == 58_100 + 83_000
    assert repriced(books, id_, date(2025, 6, 30)) == 58_100
    assert repriced(books, id_, None) == 58_100 + 83_000


def test_there_and_back_again_the_invoice_is_what_it_was(books: Books) -> None:
    id_ = books.booked(date(2025, 5, 25), date(2025, 6, 20), date(2026, 6, 19))
    before = books.entry(id_, "move_in").total_yen
    for start_on in (date(2025, 6, 10), date(2025, 6, 17), date(2025, 6, 20), date(2025, 6, 20)):
        overridden(books, date(2025, 6, 1), id_, start_on)
    assert books.entry(id_, "move_in").total_yen == before
    assert sum(entry.total_yen for entry in books.entries(id_)) == before
    with books.reading() as session:
        rows = [row for row in issued_rows(session, [id_])[id_] if row.last_on is not None]
    assert [(row.first_on, row.last_on) for row in sorted(rows)] == [
        (date(2025, 6, 20), date(2025, 6, 30)),
        (date(2025, 7, 1), date(2025, 7, 31)),
    ]
