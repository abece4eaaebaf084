"""Prices follow their timeline, parts add up, and each line is rounded once."""

from calendar import isleap
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.contract_dates import ContractTerm
from pms.rules.days import (
    ONE_DAY,
    Days,
    add_months,
    free_runs,
    is_whole_month,
    month_days,
    month_of,
    split_by_month,
)
from pms.rules.enumerations import LineItem, RecurringItem, TaxTreatment
from pms.rules.invoices import TaxedAmount, contained_taxes, contained_yen
from pms.rules.price_changes import (
    PricedDays,
    PriceSpan,
    TimelineProblem,
    items_between,
    monthly_yen,
    period_on,
    priced_days,
    refusal_of_timeline,
    with_new_period,
)
from pms.rules.rent_lines import (
    Discount,
    Price,
    RentLine,
    discount_yen,
    earns_discount,
    prorated_yen,
    rent_lines,
)
from pms.rules.yen import round_half_away
from tests.rules.facts import (
    any_days,
    days_of_a_month,
    discounts,
    every_day,
    items,
    monthly_amounts,
    near_days,
    prices,
    timelines,
    yen_a_month,
)

Timeline = tuple[PriceSpan, ...]


@given(st.dates(date(1900, 1, 1), date(2200, 1, 1)), yen_a_month)
def test_the_days_of_any_month_cost_exactly_the_month(day: date, yen: int) -> None:
    month = month_of(day)
    parts = [prorated_yen(yen, Days(each, each)) for each in every_day(month)]
    assert sum(parts) == prorated_yen(yen, month) == yen
    assert len(parts) == month_days(day)


@given(st.integers(1904, 2196), yen_a_month)
def test_a_day_of_february_costs_its_twenty_eighth_or_twenty_ninth_part(
    year: int, yen: int
) -> None:
    day = date(year, 2, 10)
    assert prorated_yen(yen, Days(day, day)) == Fraction(yen, 29 if isleap(year) else 28)


@given(any_days, st.integers(0, 400))
def test_months_split_a_run_without_losing_or_repeating_a_day(first_on: date, more: int) -> None:
    days = Days(first_on, min(first_on + timedelta(days=more), date(2200, 12, 31)))
    parts = list(split_by_month(days))
    assert [day for part in parts for day in every_day(part)] == every_day(days)
    assert all(part.first_on.month == part.last_on.month for part in parts)
    assert all(is_whole_month(part) for part in parts[1:-1])


@given(timelines())
def test_generated_timelines_are_timelines(periods: Timeline) -> None:
    assert refusal_of_timeline(periods) is None


@pytest.mark.parametrize(
    ("days", "problem"),
    [
        ([], TimelineProblem.NO_PERIOD),
        ([("2026-03-01", "2026-02-28")], TimelineProblem.REVERSED),
        ([("2026-01-01", None), ("2026-02-01", None)], TimelineProblem.OVERLAP),
        ([("2026-01-01", "2026-02-01"), ("2026-02-01", None)], TimelineProblem.OVERLAP),
        ([("2026-02-01", "2026-02-28"), ("2026-01-01", None)], TimelineProblem.OVERLAP),
        ([("2026-01-01", "2026-01-30"), ("2026-02-01", None)], TimelineProblem.GAP),
        ([("2026-01-01", "2026-01-31")], TimelineProblem.NOT_OPEN_ENDED),
        ([("2026-01-01", "2026-01-31"), ("2026-02-01", None)], None),
    ],
)
def test_periods_that_are_no_timeline_are_refused(
    days: list[tuple[str, str | None]], problem: TimelineProblem | None
) -> None:
    periods = [
        PriceSpan(date.fromisoformat(first), date.fromisoformat(last) if last else None, {})
        for first, last in days
    ]
    assert refusal_of_timeline(periods) is problem


@given(timelines(), near_days)
def test_a_day_costs_what_its_period_says_and_days_before_all_what_the_first_says(
    periods: Timeline, day: date
) -> None:
    holding = [
        period
        for period in periods
        if period.first_on <= day and (period.last_on is None or day <= period.last_on)
    ]
    assert period_on(periods, day) == (holding[0] if holding else periods[0])


@given(timelines(), near_days, monthly_amounts)
def test_a_new_period_changes_what_it_names_from_its_day_on_and_nothing_before(
    periods: Timeline, from_on: date, changes: dict[str, int]
) -> None:
    changed = with_new_period(periods, from_on, changes)
    assert refusal_of_timeline(changed) is None
    amounts = period_on(periods, from_on).amounts
    assert period_on(changed, from_on).amounts == {**amounts, **changes}
    before = from_on - ONE_DAY
    if periods[0].first_on < from_on:
        assert period_on(changed, before).amounts == period_on(periods, before).amounts
    for period in periods:
        if period.first_on > from_on:
            assert period_on(changed, period.first_on) == period


@given(timelines(), days_of_a_month(), items)
def test_the_runs_of_an_item_cost_on_each_day_what_is_in_force(
    periods: Timeline, days: Days, item: str
) -> None:
    runs = priced_days(periods, item, days)
    by_day = {day: run.monthly_yen for run in runs for day in every_day(run.days)}
    assert sum(len(every_day(run.days)) for run in runs) == len(by_day)
    for day in every_day(days):
        assert by_day.get(day, 0) == monthly_yen(periods, item, day)
    for one, other in pairwise(runs):
        is_next = one.days.last_on + ONE_DAY == other.days.first_on
        assert not (is_next and one.monthly_yen == other.monthly_yen)


@given(prices, days_of_a_month(), near_days, st.booleans())
def test_a_period_split_without_a_new_amount_changes_no_line(
    price: Price, days: Days, split_on: date, is_first: bool
) -> None:
    split = price._replace(periods=with_new_period(price.periods, split_on, {}))
    assert rent_lines(split, days, is_first) == rent_lines(price, days, is_first)


@given(prices, days_of_a_month(), st.booleans())
def test_a_line_is_at_most_half_a_yen_from_its_exact_figure(
    price: Price, days: Days, is_first: bool
) -> None:
    undiscounted = price._replace(discount=None)
    for line in rent_lines(undiscounted, days, is_first):
        rates = [
            Fraction(monthly_yen(price.periods, line.item, day), month_days(day))
            for day in every_day(Days(line.first_on, line.last_on))
        ]
        assert len(set(rates)) == 1
        assert abs(rates[0] * len(rates) - line.yen) <= Fraction(1, 2)


@given(prices, days_of_a_month())
def test_every_item_in_force_has_a_line_and_no_other(price: Price, days: Days) -> None:
    lines = rent_lines(price._replace(discount=None), days)
    assert tuple(dict.fromkeys(line.item for line in lines)) == items_between(price.periods, days)


@given(prices, days_of_a_month(), st.booleans())
def test_a_discount_never_exceeds_the_rent_and_touches_nothing_else(
    price: Price, days: Days, is_first: bool
) -> None:
    lines = rent_lines(price, days, is_first)
    rent = sum(line.yen for line in lines if line.item == RecurringItem.BASE_RENT)
    discounted = sum(line.yen for line in lines if line.item == LineItem.DISCOUNT)
    assert -rent <= discounted <= 0
    others = tuple(line for line in lines if line.item != LineItem.DISCOUNT)
    assert others == rent_lines(price._replace(discount=None), days, is_first)


@given(discounts, days_of_a_month(), yen_a_month)
def test_a_discount_that_does_not_recur_is_for_the_first_billed_period_only(
    discount: Discount, days: Days, rent_yen: int
) -> None:
    rent = [PricedDays(days, rent_yen)] if rent_yen else []
    later = discount_yen(discount, rent, is_first_period=False)
    assert later == (
        discount_yen(discount, rent, is_first_period=True) if discount.is_recurring else []
    )


@given(st.decimals(0, 100, places=2), yen_a_month, days_of_a_month())
def test_a_percentage_is_taken_of_the_exact_prorated_rent(
    percent: Decimal, rent_yen: int, days: Days
) -> None:
    exact = Fraction(percent) * prorated_yen(rent_yen, days) / 100
    found = discount_yen(Discount(percent=percent), [PricedDays(days, rent_yen)], False)
    assert found == [(days, round_half_away(exact))]


def test_a_discount_is_earned_by_the_agreed_term_and_an_open_term_agrees_to_none() -> None:
    discount = Discount(yen=5000, minimum_stay_days=31)
    start_on = date(2026, 3, 10)
    assert earns_discount(discount, ContractTerm(start_on, date(2026, 4, 9)))
    assert not earns_discount(discount, ContractTerm(start_on, date(2026, 4, 8)))
    assert not earns_discount(discount, ContractTerm(start_on, None))
    assert earns_discount(Discount(yen=5000), ContractTerm(start_on, None))


@given(st.integers(-1_000_000, 1_000_000))
def test_the_tax_of_a_credit_mirrors_the_tax_of_its_charge(yen: int) -> None:
    tax = contained_yen(TaxTreatment.TAXABLE_10, yen)
    assert contained_yen(TaxTreatment.TAXABLE_10, -yen) == -tax
    assert abs(Fraction(yen * 10, 110) - tax) <= Fraction(1, 2)
    assert contained_yen(TaxTreatment.EXEMPT, yen) == 0


@given(st.lists(st.builds(TaxedAmount, st.sampled_from(TaxTreatment), st.integers(-9999, 9999))))
def test_an_invoice_shows_each_treatment_once_and_all_its_amounts(
    amounts: list[TaxedAmount],
) -> None:
    taxes = contained_taxes(amounts)
    assert {tax.treatment for tax in taxes} == {amount.treatment for amount in amounts}
    assert len({tax.treatment for tax in taxes}) == len(taxes)
    assert sum(tax.inclusive_yen for tax in taxes) == sum(amount.yen for amount in amounts)


def test_a_free_item_has_no_line() -> None:
    price = Price((PriceSpan(date(2026, 1, 1), None, {"base_rent": 0, "utilities": 8000}),))
    month_on = date(2026, 2, 1)
    lines = rent_lines(price, Days(month_on, add_months(month_on, 1) - ONE_DAY))
    assert lines == (RentLine("utilities", month_on, date(2026, 2, 28), 8000),)


def test_one_reversed_period_among_others_is_refused_as_such() -> None:
    first = PriceSpan(date(2026, 1, 1), date(2026, 1, 31), {})
    reversed_one = PriceSpan(date(2026, 2, 1), date(2026, 1, 31), {})
    last = PriceSpan(date(2026, 2, 1), None, {})
    assert refusal_of_timeline((first, reversed_one, last)) is TimelineProblem.REVERSED
    assert refusal_of_timeline((first, last)) is None


@pytest.mark.parametrize(
    ("taken", "free"),
    [
        ([], [(1, 10)]),
        ([(1, 10)], []),
        ([(3, 4)], [(1, 2), (5, 10)]),
        ([(1, 4)], [(5, 10)]),
        ([(3, 10)], [(1, 2)]),
        ([(2, 9)], [(1, 1), (10, 10)]),
        ([(10, 12)], [(1, 9)]),
        ([(11, 12)], [(1, 10)]),
        ([(3, 4), (12, 14)], [(1, 2), (5, 10)]),
        ([(2, 8), (3, 4)], [(1, 1), (9, 10)]),
        ([(2, 3), (4, 5)], [(1, 1), (6, 10)]),
        ([(2, 2), (4, 4), (10, 10)], [(1, 1), (3, 3), (5, 9)]),
    ],
)
def test_free_days_are_those_that_no_run_reaches(
    taken: list[tuple[int, int]], free: list[tuple[int, int]]
) -> None:
    def run(first: int, last: int) -> Days:
        return Days(date(2026, 6, first), date(2026, 6, last))

    assert list(free_runs(run(1, 10), [run(*one) for one in taken])) == [run(*one) for one in free]


def test_a_discount_of_nothing_takes_no_line() -> None:
    month = month_of(date(2026, 2, 1))
    for discount in (Discount(), Discount(yen=0)):
        assert discount_yen(discount, [PricedDays(month, 100)], False) == []
