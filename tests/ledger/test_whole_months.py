"""The sum of lines may differ by a yen from the month multiplied out whole, and the screen says so."""

from datetime import date

from pms.ledger.queries import entries_of
from pms.ledger.whole_months import rounding_difference_yen
from pms.pricing.agreed_price import MonthlyAmounts
from tests.ledger.conftest import Books


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
