"""Of early exit and short notice the larger is billed, once, and never above its cap."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.contract_dates import ContractTerm
from pms.rules.days import ONE_DAY, Days, month_days
from pms.rules.enumerations import LineItem, PenaltyKind, RecurringItem, ReservationKind
from pms.rules.notices import FiledNotice, NoticeProblem, edited_notice, refusal_of_notice
from pms.rules.penalties import (
    FORFEIT_YEN,
    Departure,
    early_exit_cap_yen,
    early_exit_of,
    penalty_lines,
    penalty_of,
    short_notice_of,
    stored_kind,
)
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.rules.price_changes import PriceSpan, monthly_yen
from pms.rules.rent_lines import total_yen
from tests.rules.facts import (
    cap_months,
    every_day,
    flags,
    near_days,
    policies,
    terms_with_an_end,
    timelines,
)

Timeline = tuple[PriceSpan, ...]


@st.composite
def departures(draw: st.DrawFn) -> Departure:
    term = draw(terms_with_an_end())
    assert term.end_on is not None
    move_out_on = draw(st.dates(term.start_on, term.end_on + timedelta(days=90)))
    filed_on = move_out_on + timedelta(days=draw(st.integers(-60, 40)))
    return Departure(term, filed_on, move_out_on, forced=draw(st.none() | flags))


capped_policies = st.builds(
    lambda policy, months: replace(policy, early_exit_cap_months=months), policies, cap_months
)


@given(departures(), timelines(), capped_policies)
def test_the_larger_computation_is_billed_and_never_both(
    departure: Departure, periods: Timeline, policy: Policy
) -> None:
    penalty = penalty_of(departure, periods, policy)
    assert penalty.yen == max(penalty.early_exit.yen, penalty.short_notice.yen)
    assert penalty.yen == total_yen(penalty.lines)
    won = {
        PenaltyKind.EARLY_EXIT: penalty.early_exit,
        PenaltyKind.SHORT_NOTICE: penalty.short_notice,
    }.get(penalty.basis)
    if won is None:
        assert (penalty.yen, penalty.days, penalty.kind) == (0, 0, PenaltyKind.NONE)
    else:
        assert (penalty.yen, penalty.days) == (won.yen, won.days)


@given(departures(), timelines(), capped_policies)
def test_an_early_exit_never_exceeds_its_cap(
    departure: Departure, periods: Timeline, policy: Policy
) -> None:
    found = early_exit_of(departure.term, departure.move_out_on, periods, policy)
    cap_yen = early_exit_cap_yen(departure.move_out_on, periods, policy)
    assert found.yen <= cap_yen
    assert found.yen == min(found.uncapped_yen, cap_yen)
    assert found.is_capped == (found.uncapped_yen > cap_yen)


@given(departures(), timelines(), capped_policies)
def test_an_early_exit_needs_a_move_out_strictly_before_the_end(
    departure: Departure, periods: Timeline, policy: Policy
) -> None:
    found = early_exit_of(departure.term, departure.move_out_on, periods, policy)
    end_on = departure.term.end_on
    assert end_on is not None
    assert found.days == max((end_on - departure.move_out_on).days, 0)
    if departure.move_out_on >= end_on:
        assert found.yen == 0


@given(departures(), timelines(), capped_policies)
def test_the_kind_follows_the_dates_and_the_wording_follows_the_cap(
    departure: Departure, periods: Timeline, policy: Policy
) -> None:
    penalty = penalty_of(departure, periods, policy)
    end_on = departure.term.end_on
    assert end_on is not None
    assert penalty.kind is stored_kind(penalty.yen, departure.term, departure.move_out_on)
    if penalty.yen:
        is_early = departure.move_out_on < end_on
        assert penalty.kind is (PenaltyKind.EARLY_EXIT if is_early else PenaltyKind.SHORT_NOTICE)
        assert (penalty.runs_until_on == end_on) == penalty.is_capped
    if penalty.basis is PenaltyKind.SHORT_NOTICE:
        assert not penalty.is_capped


@given(near_days, st.integers(0, 200), timelines())
def test_each_day_after_the_move_out_is_charged_once_at_its_own_rate(
    move_out_on: date, days: int, periods: Timeline
) -> None:
    lines = penalty_lines(move_out_on, days, periods)
    charged = [day for line in lines for day in every_day(Days(line.first_on, line.last_on))]
    expected = every_day(Days(move_out_on + ONE_DAY, move_out_on + timedelta(days=days)))
    rents = {day: monthly_yen(periods, RecurringItem.BASE_RENT, day) for day in expected}
    assert charged == [day for day in expected if rents[day]]
    assert {line.item for line in lines} <= {LineItem.PENALTY}
    exact = sum((Fraction(rents[day], month_days(day)) for day in expected), Fraction(0))
    assert abs(exact - total_yen(lines)) <= Fraction(len(lines), 2)
    for line in lines:
        assert (line.first_on.year, line.first_on.month) == (line.last_on.year, line.last_on.month)


@given(near_days, st.integers(0, 60), timelines())
def test_one_more_missing_day_never_costs_less(
    move_out_on: date, missing_days: int, periods: Timeline
) -> None:
    fewer = short_notice_of(move_out_on, missing_days, periods)
    more = short_notice_of(move_out_on, missing_days + 1, periods)
    assert fewer.yen <= more.yen + 1
    assert not fewer.is_capped


@given(departures(), timelines(), policies)
def test_filing_later_never_costs_less_notice(
    departure: Departure, periods: Timeline, policy: Policy
) -> None:
    unforced = replace(departure, forced=None)
    later = replace(unforced, filed_on=unforced.filed_on + ONE_DAY)
    before, after = (penalty_of(one, periods, policy).notice for one in (unforced, later))
    assert before.missing_days <= after.missing_days


@given(departures(), timelines(), st.sampled_from(ReservationKind), st.booleans())
def test_guests_owner_residents_and_amendments_owe_no_penalty(
    departure: Departure, periods: Timeline, kind: ReservationKind, is_amendment: bool
) -> None:
    other = replace(departure, kind=kind, is_amendment=is_amendment)
    penalty = penalty_of(other, periods, DEFAULT_POLICY)
    if is_amendment or kind is not ReservationKind.RESIDENT:
        assert (penalty.yen, penalty.kind, penalty.basis) == (0, PenaltyKind.NONE, PenaltyKind.NONE)
        assert penalty.lines == ()
    else:
        assert penalty == penalty_of(departure, periods, DEFAULT_POLICY)


def test_an_open_term_knows_no_early_exit() -> None:
    departure = Departure(
        ContractTerm(date(2026, 1, 10), None), date(2026, 6, 20), date(2026, 6, 20)
    )
    periods = (PriceSpan(date(2026, 1, 10), None, {"base_rent": 93_000}),)
    penalty = penalty_of(departure, periods, DEFAULT_POLICY)
    assert (penalty.early_exit.days, penalty.early_exit.yen) == (0, 0)
    assert penalty.kind is penalty.basis is PenaltyKind.SHORT_NOTICE


@pytest.mark.parametrize(
    ("months", "cap_yen"),
    [(1, 93_001), (Decimal("0.5"), 46_501), (0, 0), (Decimal("1.5"), 139_502)],
)
def test_a_cap_of_part_of_a_month_is_rounded_half_away(months: Decimal | int, cap_yen: int) -> None:
    periods = (PriceSpan(date(2026, 1, 10), None, {"base_rent": 93_001}),)
    policy = replace(DEFAULT_POLICY, early_exit_cap_months=months)
    assert early_exit_cap_yen(date(2026, 6, 1), periods, policy) == cap_yen


def test_the_cap_is_the_rent_of_the_move_out_day_and_not_of_the_day_after() -> None:
    """The days charged begin the day after, at the rent of their own days."""
    out_on = date(2026, 6, 30)
    periods = (
        PriceSpan(date(2026, 1, 1), out_on, {"base_rent": 93_000}),
        PriceSpan(out_on + ONE_DAY, None, {"base_rent": 124_000}),
    )
    found = early_exit_of(
        ContractTerm(date(2026, 1, 1), date(2026, 12, 31)), out_on, periods, Policy()
    )
    assert found.lines[0].yen == 124_000
    assert (found.yen, found.is_capped) == (93_000, True)
    later = early_exit_cap_yen(out_on + ONE_DAY, periods, Policy())
    assert later == 124_000


def test_a_cap_of_nothing_bills_no_line() -> None:
    departure = Departure(
        ContractTerm(date(2026, 1, 10), date(2026, 9, 30)), date(2026, 1, 10), date(2026, 6, 20)
    )
    periods = (PriceSpan(date(2026, 1, 10), None, {"base_rent": 93_000}),)
    free = penalty_of(departure, periods, replace(DEFAULT_POLICY, early_exit_cap_months=0))
    assert (free.yen, free.lines, free.kind) == (0, (), PenaltyKind.NONE)
    assert free.runs_until_on is None


def test_a_forfeit_is_retired() -> None:
    assert FORFEIT_YEN == 0


@given(near_days, near_days, near_days, near_days)
def test_a_later_move_out_keeps_the_filing_day_and_an_earlier_one_is_a_new_filing(
    filed_on: date, move_out_on: date, edited_on: date, other_on: date
) -> None:
    edited = edited_notice(FiledNotice(filed_on, move_out_on), edited_on, other_on)
    assert edited.move_out_on == other_on
    assert edited.filed_on == (edited_on if other_on < move_out_on else filed_on)
    assert edited_notice(edited, edited_on + ONE_DAY, other_on) == edited


def test_nobody_moves_out_before_moving_in() -> None:
    term = ContractTerm(date(2026, 3, 10), date(2026, 9, 30))
    assert refusal_of_notice(term, date(2026, 3, 9)) is NoticeProblem.BEFORE_MOVE_IN
    assert refusal_of_notice(term, date(2026, 3, 10)) is None


def test_a_capped_exit_is_one_line_from_the_day_after_the_move_out_to_the_end() -> None:
    term = ContractTerm(date(2026, 1, 10), date(2026, 9, 30))
    departure = Departure(term, date(2026, 1, 10), date(2026, 6, 20))
    periods = (PriceSpan(date(2026, 1, 10), None, {"base_rent": 93_000}),)
    capped = penalty_of(departure, periods, replace(DEFAULT_POLICY, early_exit_cap_months=1))
    assert capped.is_capped
    [line] = capped.lines
    assert (line.item, line.first_on, line.last_on, line.yen) == (
        *(LineItem.PENALTY, date(2026, 6, 21), date(2026, 9, 30), 93_000),
    )
    assert (capped.yen, capped.days, capped.runs_until_on) == (93_000, 102, term.end_on)
    free = penalty_of(departure, periods, replace(DEFAULT_POLICY, early_exit_cap_months=9))
    assert not free.is_capped
    assert [(one.first_on.month, one.yen) for one in free.lines] == [
        *((6, 31_000), (7, 93_000), (8, 93_000), (9, 93_000)),
    ]
    assert (free.yen, free.days, free.runs_until_on) == (310_000, 102, None)
