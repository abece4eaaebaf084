"""The sum of lines may differ by a yen from the month multiplied out whole, and the screen says so."""

from datetime import date
from decimal import Decimal

from pms.ledger.charges import post_charge
from pms.ledger.planned_entries import rounding_difference_yen
from pms.ledger.queries import entries_of
from pms.ledger.repricing import reprice_rows
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts
from pms.reservations.models import Reservation
from tests.ledger.conftest import Books, in_both


def _differences(books: Books, id_: str) -> list[int]:
    with books.reading() as session:
        return [rounding_difference_yen(session, one) for one in entries_of(session, id_)]


def test_a_whole_month_has_no_difference(books: Books) -> None:
    id_ = books.booked(date(2026, 3, 1), date(2026, 4, 1), date(2027, 3, 31))
    assert _differences(books, id_) == [0]


def test_three_halves_rounded_apart_come_out_a_yen_above(books: Books) -> None:
    # 15 of 30 days: 50.5 each, so 51 + 51 of lines against 101 of the month.
    amounts = MonthlyAmounts(base_rent_yen=101, utilities_yen=101)
    start, end = date(2026, 4, 1), date(2026, 4, 15)
    id_ = books.booked(date(2026, 3, 1), start, end, amounts=amounts)
    assert _differences(books, id_) == [1]


def test_each_entry_is_told_by_its_own_rows_alone(books: Books) -> None:
    amounts = MonthlyAmounts(base_rent_yen=101, utilities_yen=101, building_maintenance_yen=101)
    start, end = date(2026, 4, 13), date(2027, 4, 12)
    id_ = books.booked(date(2026, 3, 1), start, end, amounts=amounts, deposit_yen=500)
    books.bill(date(2026, 4, 25))
    charge_id = books.do(
        post_charge, reservation_id=id_, amount_yen=900, label=in_both("鍵", "Key")
    )
    # 18 of 30 days: 60.6 each, so three times 61 against 182 of the three together.
    with books.reading() as session:
        facts = {one.id: rounding_difference_yen(session, one) for one in entries_of(session, id_)}
    assert facts == {
        books.entry(id_, "move_in").id: 1,
        books.entry(id_, "rent").id: 0,
        charge_id: 0,
    }


def test_a_discount_of_the_first_days_is_taken_off_once(books: Books) -> None:
    once = AgreedDiscount(in_both("割引", "Offer"), percent=Decimal(50), is_recurring=False)
    id_ = books.booked(date(2026, 4, 1), date(2026, 4, 20), date(2027, 4, 19), discount=once)
    books.bill(date(2026, 5, 25))
    invoice, june = books.entries(id_)
    (offer,) = [line for line in invoice.lines if line.item == "discount"]
    assert (offer.amount_yen, offer.label) == (-12_467, in_both("割引", "Offer"))
    # 11 of 30 days: 30,433.33 less 12,466.67 are 17,967 at once and 17,966 line by line.
    assert invoice.total_yen == 17_966 + 83_000
    assert (june.total_yen, _differences(books, id_)) == (83_000, [-1, 0])


def test_a_row_that_netted_to_nothing_has_no_difference(books: Books) -> None:
    id_ = books.booked(date(2026, 3, 1), date(2026, 4, 1), date(2027, 3, 31))
    books.bill(date(2026, 4, 25))
    with books.writing() as session:
        row = session.get_one(Reservation, (books.workspace_id, id_))
        row.move_out_date = date(2026, 4, 30)
    books.do(reprice_rows, id_)
    assert _differences(books, id_) == [0, 0]
