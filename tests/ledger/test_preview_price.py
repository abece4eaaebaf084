"""A new price is shown with what it makes of the next rows before it is agreed."""

from datetime import date

import pytest

from pms.arrivals.price_changes import PricedRow, PricePreview, change_price, preview_price
from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.ledger.billing import bill_month
from pms.pricing.agreed_price import MonthlyAmounts, MonthlyFee
from pms.rules.enumerations import FeeCategory, ReservationKind, TaxTreatment
from tests.ledger.conftest import Books

BOOKED, START, END = date(2026, 5, 20), date(2026, 6, 1), date(2026, 9, 20)
DEARER = MonthlyAmounts(base_rent_yen=99_000, utilities_yen=12_000)
PARKING = MonthlyFee(
    "parking",
    Bilingual("駐車場", "Parking"),
    FeeCategory.SERVICE,
    TaxTreatment.TAXABLE_10,
    3_100,
)


def previewed(
    books: Books, id_: str, from_on: date, fees: tuple[MonthlyFee, ...] = ()
) -> PricePreview:
    with books.reading() as session:
        return preview_price(
            session, books.clock, reservation_id=id_, from_on=from_on, amounts=DEARER, fees=fees
        )


def test_the_rows_of_three_months_are_shown_at_both_prices(books: Books) -> None:
    id_ = books.booked(BOOKED, START, END)
    found = previewed(books, id_, date(2026, 7, 11), (PARKING,))
    assert (found.period.first_on, found.period.last_on) == (date(2026, 7, 11), None)
    assert found.period.amounts == {
        "base_rent": 99_000,
        "utilities": 12_000,
        "building_maintenance": 0,
        "short_term_surcharge": 0,
        "guest_surcharge": 0,
        "parking": 3_100,
    }
    assert found.rows == (
        # 10 of 31 days at the old price: 21,935 and 968; 21 at the new: 67,065 and 2,100.
        PricedRow(
            date(2026, 7, 1), date(2026, 7, 31), 83_000, 21_935 + 67_065 + 12_000 + 968 + 2_100
        ),
        PricedRow(date(2026, 8, 1), date(2026, 8, 31), 83_000, 114_100),
        PricedRow(date(2026, 9, 1), date(2026, 9, 20), 55_333, 66_000 + 8_000 + 2_067),
    )


def test_what_is_shown_is_what_the_change_bills(books: Books) -> None:
    id_ = books.booked(BOOKED, START, END)
    from_on = date(2026, 7, 11)
    found = previewed(books, id_, from_on, (PARKING,))
    books.do(change_price, reservation_id=id_, from_on=from_on, amounts=DEARER, fees=(PARKING,))
    books.do(bill_month, through_on=date(2026, 9, 30))
    billed = [entry.total_yen for entry in books.entries(id_) if entry.kind == "rent"]
    assert [row.after_yen for row in found.rows] == billed


def test_a_price_between_two_others_ends_where_the_next_begins(books: Books) -> None:
    id_ = books.booked(BOOKED, START, date(2027, 5, 31))
    books.do(change_price, reservation_id=id_, from_on=date(2026, 9, 1), amounts=DEARER)
    found = previewed(books, id_, date(2026, 8, 1))
    assert found.period.last_on == date(2026, 8, 31)
    # July ended before the new price begins.
    assert found.rows == (
        PricedRow(date(2026, 8, 1), date(2026, 8, 31), 83_000, 111_000),
        PricedRow(date(2026, 9, 1), date(2026, 9, 30), 111_000, 111_000),
        PricedRow(date(2026, 10, 1), date(2026, 10, 31), 111_000, 111_000),
    )


def test_a_preview_refuses_what_the_change_refuses(books: Books) -> None:
    id_ = books.booked(BOOKED, START, END)
    with pytest.raises(Refused, match="Choose 2026-07-01 or later"):
        previewed(books, id_, date(2026, 6, 30))
    books.do(change_price, reservation_id=id_, from_on=date(2026, 7, 1), amounts=DEARER)
    with pytest.raises(Refused, match="already starts on 2026-07-01"):
        previewed(books, id_, date(2026, 7, 1))
    with pytest.raises(Refused, match="parking"):
        previewed(books, id_, date(2026, 7, 2), (PARKING, PARKING))
    priceless = books.resident(START, END, amounts=None)
    with pytest.raises(Refused, match="no price"):
        previewed(books, priceless, START)


def test_who_gets_no_rows_is_shown_the_period_alone(books: Books) -> None:
    id_ = books.resident(START, END, kind=ReservationKind.GUEST)
    found = previewed(books, id_, date(2026, 7, 1))
    assert (found.period.first_on, found.rows) == (date(2026, 7, 1), ())
