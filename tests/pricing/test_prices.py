"""The price is frozen at booking; what it becomes later is a timeline of periods."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from pms.arrivals.price_changes import change_price
from pms.foundation.errors import NotFound, Refused
from pms.foundation.phrases import Bilingual
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.pricing.models import FrozenDiscount, PeriodFee, PricePeriod, PricingSnapshot
from pms.pricing.prices import agreed_prices, freeze_price, original_amounts, price_of, prices_of
from pms.rules.enumerations import FeeCategory, TaxTreatment
from tests.ledger.conftest import Books, books

__all__ = ["books"]

START, END = date(2026, 6, 1), date(2027, 5, 31)
RENT = MonthlyAmounts(base_rent_yen=93_000, utilities_yen=10_000)
PARKING = MonthlyFee(
    "parking",
    Bilingual("駐車場", "Parking"),
    FeeCategory.SERVICE,
    TaxTreatment.TAXABLE_10,
    11_000,
)
CAMPAIGN = Bilingual("長期割引", "Long stay")


def rows(books: Books) -> int:
    with books.reading() as session:
        return sum(
            len(session.scalars(select(model)).all())
            for model in (PricingSnapshot, PricePeriod, PeriodFee, FrozenDiscount)
        )


def frozen(books: Books, id_: str, **given: Any) -> None:
    named: dict[str, Any] = {"reservation_id": id_, "first_on": START, "amounts": RENT} | given
    with books.writing() as session:
        freeze_price(session, books.clock, **named)


def test_the_original_price_stays_what_was_agreed(books: Books) -> None:
    id_ = books.resident(START, END, amounts=RENT)
    books.do(
        change_price,
        reservation_id=id_,
        from_on=date(2026, 9, 10),
        amounts=MonthlyAmounts(base_rent_yen=100_000),
    )
    with books.reading() as session:
        original = original_amounts(session, id_)
    assert original is not None
    assert (original["base_rent"], original["utilities"]) == (93_000, 10_000)


def test_a_price_is_frozen_once(books: Books) -> None:
    id_ = books.resident(START, END, amounts=RENT)
    before = rows(books)
    with pytest.raises(Refused, match="was fixed at booking"):
        frozen(books, id_)
    assert rows(books) == before


def test_a_new_period_closes_the_one_it_cuts_the_day_before(books: Books) -> None:
    id_ = books.resident(START, END, amounts=RENT, fees=(PARKING,))
    for from_on, yen in ((date(2026, 12, 1), 99_000), (date(2026, 9, 10), 96_000)):
        books.do(
            change_price,
            reservation_id=id_,
            from_on=from_on,
            amounts=MonthlyAmounts(base_rent_yen=yen),
        )
    with books.reading() as session:
        periods = prices_of(session, [id_])[id_].periods
    assert [(p.first_on, p.last_on, p.amounts["base_rent"]) for p in periods] == [
        (START, date(2026, 9, 9), 93_000),
        (date(2026, 9, 10), date(2026, 11, 30), 96_000),
        (date(2026, 12, 1), None, 99_000),
    ]
    assert [period.amounts.get("parking") for period in periods] == [11_000, None, None]


def test_two_periods_never_begin_on_one_day(books: Books) -> None:
    id_ = books.resident(START, END, amounts=RENT)
    before = rows(books)
    with pytest.raises(Refused, match="already starts on 2026-06-01"):
        books.do(change_price, reservation_id=id_, from_on=START, amounts=RENT)
    assert rows(books) == before


def test_billed_days_keep_their_price_and_the_refusal_says_from_when(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), START, END, amounts=RENT)
    with pytest.raises(Refused, match="2026-07-01"):
        books.do(change_price, reservation_id=id_, from_on=date(2026, 6, 30), amounts=RENT)
    dearer = MonthlyAmounts(base_rent_yen=99_000)
    books.do(change_price, reservation_id=id_, from_on=date(2026, 7, 1), amounts=dearer)
    books.bill(date(2026, 6, 25))
    assert [entry.total_yen for entry in books.entries(id_)] == [103_000, 99_000]


def test_a_month_that_spans_two_periods_splits_what_changed_and_nothing_else(
    books: Books,
) -> None:
    id_ = books.booked(date(2026, 5, 20), START, END, amounts=RENT, fees=(PARKING,))
    books.do(
        change_price,
        reservation_id=id_,
        from_on=date(2026, 7, 11),
        amounts=MonthlyAmounts(base_rent_yen=96_100, utilities_yen=10_000),
        fees=(PARKING,),
    )
    books.bill(date(2026, 6, 25))
    july = books.entry(id_, "rent")
    assert [(line.item, line.first_on, line.amount_yen) for line in july.lines] == [
        ("base_rent", date(2026, 7, 1), 30_000),
        ("base_rent", date(2026, 7, 11), 65_100),
        ("utilities", date(2026, 7, 1), 10_000),
        ("parking", date(2026, 7, 1), 11_000),
    ]
    parking = july.lines[-1]
    assert (parking.label.ja, parking.category, parking.tax_treatment) == (
        "駐車場",
        FeeCategory.SERVICE,
        TaxTreatment.TAXABLE_10,
    )


@pytest.mark.parametrize("yen", [-1, 1.0, 93_000.5, True, "93000", None, 10**12])
def test_an_amount_that_is_no_whole_yen_is_refused_and_nothing_is_written(
    books: Books, yen: Any
) -> None:
    id_ = books.resident(START, END, amounts=None)
    with pytest.raises(Refused, match="base_rent"):
        frozen(books, id_, amounts=MonthlyAmounts(base_rent_yen=yen))
    with pytest.raises(Refused, match="parking"):
        frozen(books, id_, fees=[_fee(amount_yen=yen)])
    assert rows(books) == 0


def _fee(**given: Any) -> MonthlyFee:
    usual = {name: getattr(PARKING, name) for name in PARKING.__dataclass_fields__}
    return MonthlyFee(**usual | given)


@pytest.mark.parametrize("code", ["", " ", "base_rent", "discount", "deposit"])
def test_a_fee_code_that_the_service_uses_itself_is_refused(books: Books, code: str) -> None:
    id_ = books.resident(START, END, amounts=None)
    with pytest.raises(Refused, match="code"):
        frozen(books, id_, fees=[_fee(code=code)])
    with pytest.raises(Refused, match="twice"):
        frozen(books, id_, fees=[PARKING, PARKING])
    assert rows(books) == 0


def test_a_discount_is_frozen_with_the_stay_that_earned_it_and_keeps_every_digit(
    books: Books,
) -> None:
    agreed = AgreedDiscount(CAMPAIGN, percent=Decimal("33.330"), minimum_stay_days=365)
    id_ = books.booked(date(2026, 5, 20), START, END, amounts=RENT, discount=agreed)
    with books.reading() as session:
        assert session.scalars(select(FrozenDiscount.percent)).one() == "33.330"
        discount = price_of(session, id_).price.discount
    assert discount is not None
    assert (discount.percent, discount.minimum_stay_days) == (Decimal("33.330"), 365)
    line = books.entry(id_, "move_in").lines[-1]
    assert (line.label.ja, line.amount_yen) == ("長期割引", -30_997)  # 30,996.9


@pytest.mark.parametrize(
    ("end_on", "why"),
    [(END - timedelta(days=1), "364 days are agreed"), (None, "no last day is agreed")],
)
def test_a_stay_too_short_or_open_earns_no_discount(
    books: Books, end_on: date | None, why: str
) -> None:
    id_ = books.resident(START, end_on, amounts=None)
    agreed = AgreedDiscount(CAMPAIGN, monthly_yen=5_000, minimum_stay_days=365)
    with pytest.raises(Refused, match=f"365 days, but {why}"):
        frozen(books, id_, discount=agreed)
    assert rows(books) == 0


@pytest.mark.parametrize(
    "figures",
    [
        {},
        {"percent": Decimal(5), "monthly_yen": 5_000},
        {"percent": Decimal(0)},
        {"percent": Decimal(101)},
        {"percent": Decimal("NaN")},
        {"percent": 12.5},
        {"monthly_yen": 0},
        {"monthly_yen": 1.5},
        {"monthly_yen": 5_000, "minimum_stay_days": -1},
    ],
)
def test_a_discount_without_one_sound_figure_is_refused(
    books: Books, figures: dict[str, Any]
) -> None:
    id_ = books.resident(START, END, amounts=None)
    with pytest.raises(Refused):
        frozen(books, id_, discount=AgreedDiscount(CAMPAIGN, **figures))
    assert rows(books) == 0


def test_a_reservation_without_a_price_cannot_be_changed(books: Books) -> None:
    id_ = books.resident(START, END, amounts=None)
    with pytest.raises(Refused, match="no price"):
        books.do(change_price, reservation_id=id_, from_on=START, amounts=RENT)
    with pytest.raises(NotFound):
        books.do(change_price, reservation_id="f" * 32, from_on=START, amounts=RENT)


def test_a_fee_is_worded_as_on_the_day(books: Books) -> None:
    id_ = books.resident(START, END, amounts=RENT, fees=(PARKING,))
    renamed = _fee(label=Bilingual("駐車場・屋根付き", "Covered parking"))
    books.do(
        change_price, reservation_id=id_, from_on=date(2026, 9, 1), amounts=RENT, fees=(renamed,)
    )
    with books.reading() as session:
        agreed = agreed_prices(session, [id_])[id_]
    assert agreed.fee_on("parking", date(2026, 8, 31)).label.en == "Parking"
    assert agreed.fee_on("parking", date(2026, 9, 1)).label.en == "Covered parking"
