"""Why a contract is of its class, why notice is owed, and the first day that costs no penalty."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from pms.rules.chat_cost import (
    MOST_TOKENS_IN,
    MOST_TOKENS_OUT,
    TRIES,
    Prices,
    Tokens,
    cost_thousandths,
    most_of_an_answer,
)
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import Days
from pms.rules.notices import ClassReason, ForcedFlag, OwedReason, class_reason, owed_reason
from pms.rules.penalties import earliest_without_penalty
from pms.rules.policy import Policy
from pms.rules.price_changes import PriceSpan
from pms.rules.rent_lines import Discount, Price, multiplied_out_yen

POLICY = Policy()
START = date(2026, 3, 10)


def lasting(days: int, start_on: date = START) -> ContractTerm:
    return ContractTerm(start_on, start_on + timedelta(days=days - 1))


def test_a_contract_is_long_by_its_days_by_a_whole_month_or_without_an_end() -> None:
    assert class_reason(ContractTerm(START, None), POLICY) is ClassReason.NO_END
    assert class_reason(lasting(32), POLICY) is ClassReason.MANY_DAYS
    assert class_reason(lasting(31), POLICY) is ClassReason.FEW_DAYS
    whole_month = lasting(31, date(2026, 3, 1))
    assert class_reason(whole_month, POLICY) is ClassReason.WHOLE_MONTH
    strict = Policy(full_calendar_month_is_long=False)
    assert class_reason(whole_month, strict) is ClassReason.FEW_DAYS


def test_a_set_flag_is_told_before_an_open_window_and_the_contract_comes_last() -> None:
    term = lasting(100)
    assert term.end_on is not None
    early, late = START, term.end_on
    for forced in (None, ForcedFlag(late)):
        assert owed_reason(term, early, forced, POLICY) is OwedReason.CONTRACT
    assert owed_reason(term, late, None, POLICY) is OwedReason.WINDOW_OPEN
    for day in (early, late):
        assert owed_reason(term, day, ForcedFlag(START), POLICY) is OwedReason.FORCED


@pytest.mark.parametrize(
    ("term", "filed_on", "owed_days", "earliest_on"),
    [
        (ContractTerm(START, None), date(2026, 6, 1), 30, date(2026, 6, 30)),
        (ContractTerm(START, None), date(2026, 6, 1), 0, date(2026, 6, 1)),
        (ContractTerm(START, date(2026, 12, 31)), date(2026, 6, 1), 30, date(2026, 12, 31)),
        (ContractTerm(START, date(2026, 6, 10)), date(2026, 6, 1), 30, date(2026, 6, 30)),
        (ContractTerm(START, None), date(2026, 1, 1), 30, START),
    ],
)
def test_a_departure_is_free_with_enough_notice_after_the_end_and_after_the_start(
    term: ContractTerm, filed_on: date, owed_days: int, earliest_on: date
) -> None:
    policy = Policy(long_notice_days=owed_days)
    assert earliest_without_penalty(term, filed_on, None, policy) == earliest_on


FEBRUARY = Days(date(2026, 2, 1), date(2026, 2, 9))
AMOUNTS = {"base_rent": 100, "parking": 10}


@pytest.mark.parametrize(
    ("discount", "is_first", "yen"),
    [
        # 9/28 of 110 are 35.36, of the rent alone 32.14.
        (None, False, 35),
        (Discount(percent=Decimal(10)), False, 32),
        (Discount(percent=Decimal(200)), False, 3),
        (Discount(yen=50), False, 19),
        (Discount(yen=500), False, 3),
        (Discount(), False, 35),
        (Discount(yen=50, is_recurring=False), False, 35),
        (Discount(yen=50, is_recurring=False), True, 19),
    ],
)
def test_what_is_multiplied_out_is_rounded_once_and_never_takes_more_than_the_rent(
    discount: Discount | None, is_first: bool, yen: int
) -> None:
    price = Price((PriceSpan(date(2026, 1, 1), None, AMOUNTS),), discount)
    assert multiplied_out_yen(price, FEBRUARY, is_first) == yen


def test_each_period_is_multiplied_out_at_its_own_price() -> None:
    periods = (
        PriceSpan(date(2026, 1, 1), date(2026, 2, 3), {"base_rent": 28}),
        PriceSpan(date(2026, 2, 4), None, {"base_rent": 280}),
    )
    assert multiplied_out_yen(Price(periods), FEBRUARY) == 3 + 60


def test_the_most_an_answer_costs_counts_every_try() -> None:
    prices = Prices(Decimal(1_000), Decimal(2_000))
    one = cost_thousandths(Tokens(MOST_TOKENS_IN, MOST_TOKENS_OUT), prices)
    assert most_of_an_answer(prices) == TRIES * one > one


def test_a_discount_of_nothing_or_of_the_first_period_takes_nothing_of_a_later_one() -> None:
    month = Days(date(2026, 2, 1), date(2026, 2, 28))
    periods = (PriceSpan(date(2026, 1, 1), None, AMOUNTS),)
    for discount in (Discount(), Discount(yen=0), Discount(yen=50, is_recurring=False)):
        assert multiplied_out_yen(Price(periods, discount), month) == 110
