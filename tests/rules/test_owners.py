"""What a building brings in, and what its owner is paid, on any facts."""

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from pms.rules.days import month_last
from pms.rules.enumerations import FeeCategory
from pms.rules.ledger_entries import EntryPayment
from pms.rules.owner_income import (
    BilledMoney,
    CategoryPosting,
    OwnerMonth,
    PublishedPayout,
    monthly_income,
    owner_balance,
    payout_day,
    received_by,
)

DAYS = st.dates(date(2026, 1, 1), date(2027, 12, 31))
YEN = st.integers(-200_000, 200_000)
POSTINGS = st.lists(st.builds(CategoryPosting, DAYS, st.sampled_from(FeeCategory), YEN))
PAYMENTS = st.lists(st.builds(EntryPayment, DAYS, YEN))
ENTRIES = st.builds(
    BilledMoney,
    postings=POSTINGS.map(tuple),
    payments=PAYMENTS.map(tuple),
    taken_over=PAYMENTS.map(tuple),
    voided_on=st.none() | DAYS,
)
MONTHS = st.lists(
    st.builds(
        OwnerMonth,
        st.just(date(2026, 1, 1)),
        YEN,
        YEN,
        st.decimals(0, 100, places=2),
        st.none() | st.builds(PublishedPayout, st.integers(0, 200_000), DAYS),
    ),
    min_size=1,
    max_size=6,
)


@given(ENTRIES)
def test_months_add_up_to_what_was_received_in_all(entry: BilledMoney) -> None:
    in_all = sum(received_by(entry, date(2028, 1, 1)).values())
    assert sum(sum(month.values()) for month in monthly_income(entry).values()) == in_all


@given(ENTRIES, DAYS)
def test_no_category_receives_less_than_nothing_or_more_than_it_asked_for(
    entry: BilledMoney, on: date
) -> None:
    received = received_by(entry, on)
    paid = sum(payment.yen for payment in entry.payments if payment.on <= on)
    if sum(p.yen for p in entry.postings if p.on <= on) < 0:
        # A credit takes back what was set off of it.
        assert min(paid, 0) <= sum(received.values()) <= 0
        paid, received = -paid, {category: -yen for category, yen in received.items()}
        sign = -1
    else:
        sign = 1
    for category, yen in received.items():
        asked = sum(p.yen for p in entry.postings if p.category == category and p.on <= on)
        assert 0 < yen <= sign * asked
    assert sum(received.values()) <= max(paid, 0)


def test_a_credit_takes_back_of_its_categories_what_was_set_off() -> None:
    credit = BilledMoney(
        postings=(
            CategoryPosting(date(2026, 5, 3), FeeCategory.RENT, -8_000),
            CategoryPosting(date(2026, 5, 3), FeeCategory.SERVICE, -2_000),
        ),
        payments=(EntryPayment(date(2026, 5, 3), -5_000), EntryPayment(date(2026, 7, 1), -5_000)),
    )
    assert monthly_income(credit) == {
        date(2026, 5, 1): {FeeCategory.RENT: -5_000},
        date(2026, 7, 1): {FeeCategory.RENT: -3_000, FeeCategory.SERVICE: -2_000},
    }


@given(ENTRIES, DAYS)
def test_a_voided_entry_has_received_nothing(entry: BilledMoney, on: date) -> None:
    if entry.voided_on is not None and entry.voided_on <= on:
        assert received_by(entry, on) == {}


@given(MONTHS, DAYS)
def test_every_yen_is_paid_out_or_carried_on(months: list[OwnerMonth], today: date) -> None:
    *earlier, month = months
    balance = owner_balance(earlier, month, today)
    assert balance.closing_yen == balance.payout_yen + balance.carried_yen
    assert balance.closing_yen == balance.opening_yen + month.result_yen
    assert balance.payout_yen >= 0
    following = OwnerMonth(date(2028, 1, 1), 0, 0)
    published = month._replace(published=PublishedPayout(balance.payout_yen, today))
    assert owner_balance([*earlier, published], following, today).opening_yen == balance.carried_yen


@given(MONTHS, DAYS)
def test_what_was_paid_out_stands(months: list[OwnerMonth], today: date) -> None:
    *earlier, month = months
    balance = owner_balance(earlier, month, today)
    if month.published is not None and month.published.payout_on <= today:
        assert balance.payout_yen == month.published.yen
    else:
        assert balance.payout_yen == max(balance.closing_yen, 0)


@given(DAYS, st.integers(1, 31))
def test_a_payout_day_lies_in_the_next_month(day: date, wanted: int) -> None:
    paid_on = payout_day(day.replace(day=1), wanted)
    assert paid_on > month_last(day)
    assert (paid_on - month_last(day)).days == min(wanted, month_last(paid_on).day)


def test_a_fee_is_rounded_once_away_from_zero() -> None:
    assert OwnerMonth(date(2026, 11, 1), 185_300, 0, Decimal("5.5")).fee_yen == 10_192
    assert OwnerMonth(date(2026, 11, 1), -185_300, 0, Decimal("5.5")).fee_yen == -10_192


JANUARY, FEBRUARY, MARCH = (date(2026, month, 1) for month in (1, 2, 3))
FIRST, SECOND, THIRD = list(FeeCategory)[:3]


def test_a_payment_fills_the_categories_in_their_order_after_credits_are_taken_off() -> None:
    entry = BilledMoney(
        (
            CategoryPosting(JANUARY, SECOND, 500),
            CategoryPosting(JANUARY, FIRST, 100),
            CategoryPosting(JANUARY, THIRD, -250),
            CategoryPosting(FEBRUARY, FIRST, 50),
        ),
        payments=(EntryPayment(JANUARY, 120), EntryPayment(MARCH, 700)),
        taken_over=(EntryPayment(FEBRUARY, 30),),
    )
    # The credit takes all of the first category and the rest of it from the second.
    assert received_by(entry, JANUARY) == {SECOND: 120}
    assert received_by(entry, MARCH) == {SECOND: 370}
    assert monthly_income(entry) == {JANUARY: {SECOND: 120}, FEBRUARY: {}, MARCH: {SECOND: 250}}


def test_the_month_of_a_void_gives_back_what_was_received() -> None:
    entry = BilledMoney(
        (CategoryPosting(JANUARY, FIRST, 100),), (EntryPayment(FEBRUARY, 100),), voided_on=MARCH
    )
    assert received_by(entry, FEBRUARY) == {FIRST: 100}
    assert received_by(entry, MARCH) == {}
    assert monthly_income(entry) == {JANUARY: {}, FEBRUARY: {FIRST: 100}, MARCH: {FIRST: -100}}


def test_a_published_payout_stands_from_its_day_and_an_unpublished_month_is_carried_on() -> None:
    earlier = OwnerMonth(JANUARY, 1_000, 100)
    month = OwnerMonth(FEBRUARY, 500, 0, Decimal(10), PublishedPayout(300, MARCH))
    balance = owner_balance([earlier], month, MARCH)
    assert (balance.opening_yen, balance.fee_yen, balance.closing_yen) == (900, 50, 1_350)
    assert (balance.payout_yen, balance.carried_yen) == (300, 1_050)
    before = owner_balance([earlier], month, date(2026, 2, 28))
    assert (before.payout_yen, before.carried_yen) == (1_350, 0)
    after = owner_balance([earlier, month], OwnerMonth(MARCH, 0, 2_000), MARCH)
    assert (after.opening_yen, after.payout_yen, after.carried_yen) == (1_050, 0, -950)


def test_what_an_arrears_charge_takes_over_counts_from_its_own_day() -> None:
    entry = BilledMoney(
        (CategoryPosting(JANUARY, FIRST, 100),),
        payments=(EntryPayment(JANUARY, 100),),
        taken_over=(EntryPayment(FEBRUARY, 30),),
    )
    assert received_by(entry, date(2026, 1, 31)) == {FIRST: 100}
    assert received_by(entry, FEBRUARY) == {FIRST: 70}
